# SPDX-License-Identifier: MIT
# Sourced by tools/demo.sh and tests/run.sh: the Debian 12 packages that each needs.

build_packages="g++ cmake ninja-build pkg-config libisal-dev libsnappy-dev liblz4-dev libzstd-dev
  libpcap-dev zlib1g-dev libssl-dev libabsl-dev libfmt-dev libcli11-dev rapidjson-dev libyaml-cpp-dev libtomlplusplus-dev"
plugin_packages="wireshark-dev"  # and Wireshark itself, where the plugin is to be used
test_packages="libgtest-dev libbenchmark-dev ccache mold tshark python3"
static_packages="clang-tidy"
check_packages="python3"  # for the checks in ../shared only

# install_packages PACKAGE...: as root, or with sudo; says nothing when all are there.
install_packages() {
  local package missing=() as_root=()
  for package; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "As root, please: apt-get install ${missing[*]}" >&2; return 1; }
    as_root=(sudo)
  fi
  echo "Installing ${missing[*]}"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

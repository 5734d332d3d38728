// SPDX-License-Identifier: MIT
#include <zlib.h>
#include <zstd.h>

#include "capture/byte_source.h"

namespace kparse::capture {
namespace {

constexpr std::size_t input_size = 128u << 10;

/// Input buffer that the two have in common.
class Unpacker : public ByteSource {
 public:
  explicit Unpacker(ByteSource& raw) : raw_(raw), input_(input_size) {}

 protected:
  bool refill() {
    consumed_ += filled_;
    filled_ = raw_.read(input_.data(), input_.size());
    return filled_ != 0;
  }
  void stop(std::string why, std::size_t used) { damage_ = Damage{std::move(why), consumed_ + used, true}; }
  void ended_early(const char* what) {
    damage_ = raw_.damage();  // a read error says more than its consequence
    if (!damage_) stop(std::string(what) + " data ends early", 0);
  }

  ByteSource& raw_;
  std::vector<std::uint8_t> input_;
  std::size_t filled_ = 0;
  std::uint64_t consumed_ = 0;  // compressed bytes before input_
};

class Gunzip final : public Unpacker {
 public:
  explicit Gunzip(ByteSource& raw) : Unpacker(raw) { ready_ = inflateInit2(&z_, 15 + 16) == Z_OK; }
  ~Gunzip() override {
    if (ready_) inflateEnd(&z_);
  }
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  std::size_t read(std::uint8_t* to, std::size_t room) override {
    if (damage_ || done_) return 0;
    if (!ready_) {
      stop("no memory to unpack gzip", 0);
      return 0;
    }
    z_.next_out = to;
    z_.avail_out = static_cast<uInt>(std::min<std::size_t>(room, 1u << 30));
    const uInt wanted = z_.avail_out;
    while (z_.avail_out == wanted && !damage_ && !done_) {
      if (z_.avail_in == 0 && !more()) break;
      if (between_ && !next_member()) break;
      const int r = inflate(&z_, Z_NO_FLUSH);
      if (r == Z_STREAM_END) {
        between_ = true;
      } else if (r != Z_OK && !(r == Z_BUF_ERROR && z_.avail_in == 0)) {
        stop(std::string("gzip data is damaged") + (z_.msg != nullptr ? std::string(" (") + z_.msg + ")" : ""),
             filled_ - z_.avail_in);
      }
    }
    return wanted - z_.avail_out;
  }

 private:
  bool more() {
    if (refill()) {
      z_.next_in = input_.data();
      z_.avail_in = static_cast<uInt>(filled_);
      return true;
    }
    if (between_) {
      done_ = true;
    } else {
      ended_early("gzip");
    }
    return false;
  }
  bool next_member() {
    if (*z_.next_in != 0x1f) {  // padding after the last member is usual (tapes, block devices)
      done_ = true;
      return false;
    }
    between_ = false;
    return inflateReset(&z_) == Z_OK;
  }

  z_stream z_{};
  bool ready_ = false, between_ = false, done_ = false;
};

class Unzstd final : public Unpacker {
 public:
  explicit Unzstd(ByteSource& raw) : Unpacker(raw), z_(ZSTD_createDStream()) {}
  ~Unzstd() override { ZSTD_freeDStream(z_); }
  Unzstd(const Unzstd&) = delete;
  Unzstd& operator=(const Unzstd&) = delete;

  std::size_t read(std::uint8_t* to, std::size_t room) override {
    if (damage_) return 0;
    if (z_ == nullptr) {
      stop("no memory to unpack zstd", 0);
      return 0;
    }
    ZSTD_outBuffer out{to, room, 0};
    while (out.pos == 0) {
      // what is still inside the decoder comes out before more goes in
      if (in_.pos == in_.size && !pending_) {
        if (!refill()) {
          if (inside_) ended_early("zstd");
          return 0;
        }
        in_ = {input_.data(), filled_, 0};
      }
      const std::size_t r = ZSTD_decompressStream(z_, &out, &in_);
      if (ZSTD_isError(r) != 0) {
        stop(std::string("zstd data is damaged (") + ZSTD_getErrorName(r) + ")", in_.pos);
        break;
      }
      inside_ = r != 0;
      pending_ = out.pos == out.size;
    }
    return out.pos;
  }

 private:
  ZSTD_DStream* z_;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  bool inside_ = false, pending_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> unpacker(Packing p, ByteSource& raw) {
  if (p == Packing::gzip) return std::make_unique<Gunzip>(raw);
  if (p == Packing::zstd) return std::make_unique<Unzstd>(raw);
  return nullptr;
}

}  // namespace kparse::capture

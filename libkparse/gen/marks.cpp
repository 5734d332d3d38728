// SPDX-License-Identifier: MIT
#include "marks.h"

#include <algorithm>
#include <utility>

#include "text.h"

namespace kschema {
namespace {

struct Rule {
  std::string_view message;  ///< "" = any
  std::string_view field;
  std::string_view type;
  std::string_view mark;
};

// The first rule that fits wins.
constexpr Rule rules[] = {
    {"RequestHeader", "clientId", "string", "clientId"},
    {"RequestHeader", "correlationId", "int32", "correlationId"},
    {"ResponseHeader", "correlationId", "int32", "correlationId"},
    {"RequestHeader", "requestApiKey", "int16", "apiKey"},
    {"RequestHeader", "requestApiVersion", "int16", "apiVersion"},
    {"ProduceRequest", "acks", "int16", "acks"},
    {"ProduceRequest", "index", "int32", "partition"},
    {"ProduceResponse", "index", "int32", "partition"},
    {"FetchSnapshotResponse", "index", "int32", "partition"},
    {"ProduceResponse", "baseOffset", "int64", "offset"},
    {"ApiVersionsRequest", "clientSoftwareName", "string", "softwareName"},
    {"ApiVersionsRequest", "clientSoftwareVersion", "string", "softwareVersion"},
    {"FetchRequest", "sessionId", "int32", "sessionId"},
    {"FetchResponse", "sessionId", "int32", "sessionId"},
    {"FetchRequest", "sessionEpoch", "int32", "sessionEpoch"},
    {"", "shareSessionEpoch", "int32", "sessionEpoch"},
    {"FetchRequest", "maxWaitMs", "int32", "maxWait"},
    {"ShareFetchRequest", "maxWaitMs", "int32", "maxWait"},
    {"FetchRequest", "minBytes", "int32", "minBytes"},
    {"ShareFetchRequest", "minBytes", "int32", "minBytes"},
    {"SaslHandshakeRequest", "mechanism", "string", "mechanism"},
    {"SaslAuthenticateRequest", "authBytes", "bytes", "authBytes"},
    {"SaslAuthenticateResponse", "authBytes", "bytes", "authBytes"},
    {"JoinGroupRequest", "name", "string", "protocolName"},
    {"JoinGroupRequest", "metadata", "bytes", "metadata"},
    {"JoinGroupResponse", "metadata", "bytes", "metadata"},
    {"JoinGroupResponse", "leader", "string", "member"},
    {"", "protocolType", "string", "protocolType"},
    {"", "protocolName", "string", "protocolName"},
    {"SyncGroupRequest", "assignment", "bytes", "assignment"},
    {"SyncGroupResponse", "assignment", "bytes", "assignment"},
    {"DescribeGroupsResponse", "protocolData", "string", "protocolName"},
    {"DescribeGroupsResponse", "memberMetadata", "bytes", "metadata"},
    {"DescribeGroupsResponse", "memberAssignment", "bytes", "assignment"},
    {"GroupMetadataValue", "protocol", "string", "protocolName"},
    {"GroupMetadataValue", "subscription", "bytes", "metadata"},
    {"GroupMetadataValue", "assignment", "bytes", "assignment"},
    {"UpdateMetadataRequest", "id", "int32", "brokerId"},
    {"UpdateMetadataRequest", "host", "string", "host"},
    {"UpdateMetadataRequest", "port", "int32", "port"},
    {"UpdateMetadataRequest", "v0Host", "string", "host"},
    {"UpdateMetadataRequest", "v0Port", "int32", "port"},
    {"AddPartitionsToTxnRequest", "v3AndBelowTransactionalId", "string", "transactionalId"},
    {"AddPartitionsToTxnRequest", "v3AndBelowProducerId", "int64", "producerId"},
    {"AddPartitionsToTxnRequest", "v3AndBelowProducerEpoch", "int16", "producerEpoch"},
    {"", "throttleTimeMs", "int32", "throttle"},
    {"", "clusterId", "string", "clusterId"},
    {"", "transactionalId", "string", "transactionalId"},
    {"", "producerId", "int64", "producerId"},
    {"", "producerEpoch", "int16", "producerEpoch"},
    {"", "memberId", "string", "member"},
    {"", "generationId", "int32", "generation"},
    {"", "generation", "int32", "generation"},
    {"", "generationIdOrMemberEpoch", "int32", "generation"},
    {"", "memberEpoch", "int32", "generation"},
    {"", "groupId", "string", "group"},
    {"", "group", "string", "group"},
    {"", "topic", "string", "topic"},
    {"", "topicName", "string", "topic"},
    {"", "topicId", "uuid", "topicId"},
    {"", "topicIds", "uuid", "topicId"},
    {"", "partition", "int32", "partition"},
    {"", "partitions", "int32", "partition"},
    {"", "partitionIndex", "int32", "partition"},
    {"", "partitionIndexes", "int32", "partition"},
    {"", "partitionId", "int32", "partition"},
    {"", "partitionIds", "int32", "partition"},
    {"", "topics", "string", "topic"},
    {"", "subscribedTopicNames", "string", "topic"},
    {"", "sourceTopics", "string", "topic"},
    {"", "repartitionSinkTopics", "string", "topic"},
    {"TopicRecord", "name", "string", "topic"},
    {"GroupMetadataValue", "leader", "string", "member"},
};

bool is_config_message(const Message& m) {
  if (m.is_api()) return m.api_key == 19 || m.api_key == 32 || m.api_key == 33 || m.api_key == 44;
  return m.name == "ConfigRecord";
}

/// Messages whose secret is a field of this name (PLAIN and SCRAM tokens, delegation token HMACs, SCRAM keys).
bool is_secret(const Message& m, const Field& f) {
  if (m.is_api()) {
    if (m.api_key == 36) return f.name == "authBytes";
    if (m.api_key >= 38 && m.api_key <= 41) return f.name == "hmac";
    if (m.api_key == 51) return f.name == "salt" || f.name == "saltedPassword";
  }
  if (m.name == "UserScramCredentialRecord")
    return f.name == "salt" || f.name == "saltedPassword" || f.name == "storedKey" || f.name == "serverKey";
  return m.name == "DelegationTokenRecord" && f.name == "hmac";
}

std::string mark_by_entity(const Field& f) {
  if (f.entity == "topicName") return "topic";
  if (f.entity == "groupId") return "group";
  if (f.entity == "transactionalId") return "transactionalId";
  if (f.entity == "producerId") return "producerId";
  return "";
}

class Marker {
 public:
  explicit Marker(const Message& m) : m_(m) {}

  void run(std::vector<Field>& fields, const std::vector<Field>* known) {
    const bool config = is_config_message(m_) && has(fields, "name") && has(fields, "value");
    // Only where host and port stand beside the id that they belong to.
    const bool endpoint = (has(fields, "nodeId") || has(fields, "brokerId")) &&
                          (has(fields, "host") || has(fields, "hostName")) && has(fields, "port");
    for (Field& f : fields) {
      const Field* before = nullptr;
      if (known)
        for (const Field& k : *known)
          if (k.name == f.name) before = &k;
      if (before) {
        f.mark = before->mark;
        f.secret = before->secret;
      } else {
        f.mark = mark(f, config, endpoint);
        f.secret = is_secret(m_, f);
      }
      const std::string outer = std::exchange(inside_, f.name);
      run(f.fields, before ? &before->fields : nullptr);
      inside_ = outer;
    }
  }

 private:
  static bool has(const std::vector<Field>& fields, std::string_view name) {
    return std::any_of(fields.begin(), fields.end(), [&](const Field& f) { return f.name == name; });
  }

  std::string mark(const Field& f, bool config, bool endpoint) const {
    if (f.type == "struct") return "";
    if (f.type == "int16" && (f.name == "errorCode" || ends_with(f.name, "ErrorCode"))) return "error";
    if (config) {
      if (f.name == "name") return "configName";
      if (f.name == "value") return "configValue";
      if (f.name == "isSensitive") return "configSensitive";
    }
    if (endpoint) {
      if (f.name == "host" || f.name == "hostName") return "host";
      if (f.name == "port") return "port";
      if (f.type == "int32" && (f.name == "nodeId" || f.name == "brokerId")) return "brokerId";
    }
    if (f.name == "name" && f.type == "string" && (inside_ == "topicIdPartition" || ends_with(inside_, "Topics")))
      return "topic";
    if (f.name == "id" && f.type == "uuid" && inside_ == "topicIdPartition") return "topicId";
    if (!f.entity.empty())
      if (auto by_entity = mark_by_entity(f); !by_entity.empty()) return by_entity;
    for (const Rule& r : rules)
      if ((r.message.empty() || r.message == m_.name) && r.field == f.name && r.type == f.type)
        return std::string(r.mark);
    return "";
  }

  const Message& m_;
  std::string inside_;  ///< name of the struct around
};

}  // namespace

void propose_marks(const Message& message, std::vector<Field>& fields, const std::vector<Field>* known) {
  Marker(message).run(fields, known);
}

}  // namespace kschema

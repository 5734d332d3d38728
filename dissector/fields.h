// SPDX-License-Identifier: GPL-2.0-or-later
// Wireshark's numbers for the fields that are not in Kafka's schema: of frames, batches, records. See schema_fields.h
// for those of messages, legacy.h for the names of Wireshark's own Kafka dissector.
#pragma once

namespace kparse::dissector {

/// All -1 until register_fields(). The comment is the filter name and the type.
struct Fields {
  // Frames
  int length = -1;          // kparse.length          INT32
  int api_key = -1;         // kparse.api_key         INT16, with names
  int api = -1;             // kparse.api             STRING, "Fetch"
  int version = -1;         // kparse.version         INT16
  int correlation_id = -1;  // kparse.correlation_id  INT32
  int client_id = -1;       // kparse.client_id       STRING
  int header_tag = -1;      // kparse.header.tag      UINT32, number of a tagged field of a header
  int offset = -1;          // kparse.stream_offset   UINT64
  int request = -1;         // kparse.request         BOOLEAN, present on requests
  int response = -1;        // kparse.response        BOOLEAN, present on responses
  int request_in = -1;      // kparse.request_in      FRAMENUM
  int response_in = -1;     // kparse.response_in     FRAMENUM
  int response_time = -1;   // kparse.response_time   RELATIVE_TIME
  int no_response = -1;     // kparse.no_response     STRING: why (acks=0, or none is in this capture)
  int lost = -1;            // kparse.lost            UINT64, bytes missing
  int skipped = -1;         // kparse.skipped         UINT64, bytes passed over
  int piece = -1;           // kparse.segment         FRAMENUM of a packet that carries part of the frame
  int segment_data = -1;    // kparse.segment_data    BYTES of a frame that ends in a later packet
  int reassembled_in = -1;  // kparse.reassembled_in  FRAMENUM
  int sasl_token = -1;      // kparse.sasl_token      BYTES
  int rule = -1;            // kparse.rule            STRING, id of a note or finding
  int error_code = -1;      // kparse.error_code      INT16, with names: any error code field of a response
  int error_name = -1;      // kparse.error           STRING, "NOT_LEADER_OR_FOLLOWER"
  int topic = -1;           // kparse.topic           STRING, name, also where the wire has only the id
  int partition = -1;       // kparse.partition       INT32
  int tag = -1;             // kparse.tag             UINT32, number of a tagged field that the schema doesn't have
  int tag_data = -1;        // kparse.tag_data        BYTES
  int undecoded = -1;       // kparse.undecoded       BYTES that were not read
  int time = -1;            // kparse.time            ABSOLUTE_TIME, what an integer field means
  int payload = -1;         // kparse.payload         STRING, kind of a payload inside a bytes field
  int payload_value = -1;   // kparse.payload.value   STRING, "name: value" of it

  // Batches: kparse.batch.NAME, the names of `kparse dump`.
  struct Batch {
    int base_offset = -1;             // baseOffset            INT64
    int batch_length = -1;            // batchLength           INT32
    int partition_leader_epoch = -1;  // partitionLeaderEpoch  INT32
    int magic = -1;                   // magic                 INT8
    int crc = -1;                     // crc                   UINT32
    int crc_status = -1;              // crc.status            UINT8, PROTO_CHECKSUM_E_*
    int crc_good = -1;                // crcValid              BOOLEAN
    int attributes = -1;              // attributes            UINT16
    int codec = -1;                   // codec                 UINT8, with names: kparse::Codec
    int timestamp_type = -1;          // timestampType         INT8, with names: -1 none, 0 CreateTime, 1 LogAppendTime
    int transactional = -1;           // transactional         BOOLEAN
    int control = -1;                 // control               BOOLEAN
    int has_delete_horizon = -1;      // hasDeleteHorizon      BOOLEAN
    int last_offset_delta = -1;       // lastOffsetDelta       INT32
    int base_timestamp = -1;          // baseTimestamp         INT64, ms
    int max_timestamp = -1;           // maxTimestamp          INT64, ms
    int delete_horizon = -1;          // deleteHorizon         INT64, ms
    int producer_id = -1;             // producerId            INT64
    int producer_epoch = -1;          // producerEpoch         INT16
    int base_sequence = -1;           // baseSequence          INT32
    int count = -1;                   // count                 INT32
    int compressed = -1;              // compressedSize        UINT32, bytes
    int uncompressed = -1;            // uncompressedSize      UINT64, bytes
    int partial = -1;                 // partial               UINT32, bytes at the end that are no whole batch
    int partial_need = -1;            // partial.need          UINT64, bytes of a whole one
    int draft = -1;                   // draft                 STRING, profile of a KIP-82 draft
    int draft_integers = -1;          // draftIntegers         STRING, their code
  } batch;

  // Records: kparse.record.NAME.
  struct Record {
    int offset = -1;        // offset        INT64
    int timestamp = -1;     // timestamp     INT64, ms
    int sequence = -1;      // sequence      INT32
    int attributes = -1;    // attributes    UINT8
    int size = -1;          // size          INT32, bytes
    int key = -1;           // key           BYTES
    int value = -1;         // value         BYTES
    int key_text = -1;      // key.text      STRING, if it is printable UTF-8
    int value_text = -1;    // value.text    STRING
    int header = -1;        // header        STRING, "name: value"
    int header_name = -1;   // header.name   STRING
    int header_value = -1;  // header.value  BYTES
    int header_key = -1;    // header.key    INT32, of a KIP-82 draft
    int header_registered = -1;  // header.registered  STRING, name of that key
    int control = -1;       // control       STRING, name of a control record's type
    int crc = -1;           // crc           UINT32, magic 0 and 1 inside a compressed message
  } record;
};
extern Fields fields;

/// Subtrees.
struct Subtrees {
  int frame = -1, header = -1, body = -1, array = -1, element = -1, structure = -1, batch = -1, attributes = -1,
      record = -1, record_headers = -1, pieces = -1, payload = -1, tag = -1;
};
extern Subtrees subtrees;

void register_fields(int proto);

}  // namespace kparse::dissector

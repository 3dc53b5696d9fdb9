import { fromJSON, type MethodDefinition, type ServiceDefinition } from '@grpc/proto-loader';

/** One method of etcd's API: its path and how its messages become bytes and back. */
export type EtcdMethod = MethodDefinition<object, object>;

/** The methods that we use. */
export interface EtcdMethods {
  readonly range: EtcdMethod;
  readonly put: EtcdMethod;
  readonly deleteRange: EtcdMethod;
  readonly txn: EtcdMethod;
  readonly compact: EtcdMethod;
  readonly watch: EtcdMethod;
  readonly status: EtcdMethod;
}

/**
 * etcd's wire format as far as we speak it: names and numbers of the public API, and no field that
 * we don't use. It is a value and not a `.proto` file so that sources and build find it alike.
 *
 * @see https://github.com/etcd-io/etcd/blob/v3.6.12/api/etcdserverpb/rpc.proto
 * @see https://github.com/etcd-io/etcd/blob/v3.6.12/api/mvccpb/kv.proto
 */
export function loadEtcdMethods(): EtcdMethods {
  const definition = fromJSON(
    { nested: { etcdserverpb: { nested: { ...MESSAGES, ...SERVICES } } } },
    // Revisions outgrow a double; absent fields mean zero in proto3 and are filled in.
    { keepCase: true, longs: String, enums: String, defaults: true },
  );
  const found = (service: string, name: string): EtcdMethod => {
    const rpc = (definition[`etcdserverpb.${service}`] as ServiceDefinition)[name];
    if (rpc === undefined) throw new Error(`etcd's ${service} has no method ${name}`);
    return rpc;
  };
  return {
    range: found('KV', 'Range'),
    put: found('KV', 'Put'),
    deleteRange: found('KV', 'DeleteRange'),
    txn: found('KV', 'Txn'),
    compact: found('KV', 'Compact'),
    watch: found('Watch', 'Watch'),
    status: found('Maintenance', 'Status'),
  };
}

function field(type: string, id: number): { type: string; id: number } {
  return { type, id };
}

function repeated(type: string, id: number): { rule: 'repeated'; type: string; id: number } {
  return { rule: 'repeated', type, id };
}

function method(requestType: string, responseType: string, stream = false): RpcMethod {
  return { requestType, responseType, requestStream: stream, responseStream: stream, comment: '' };
}

interface RpcMethod {
  readonly requestType: string;
  readonly responseType: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  readonly comment: string;
}

const MESSAGES = {
  ResponseHeader: { fields: { revision: field('int64', 3) } },
  KeyValue: {
    fields: {
      key: field('bytes', 1),
      create_revision: field('int64', 2),
      mod_revision: field('int64', 3),
      value: field('bytes', 5),
    },
  },
  RangeRequest: {
    fields: {
      key: field('bytes', 1),
      range_end: field('bytes', 2),
      limit: field('int64', 3),
      revision: field('int64', 4),
      count_only: field('bool', 9),
    },
  },
  RangeResponse: {
    fields: {
      header: field('ResponseHeader', 1),
      kvs: repeated('KeyValue', 2),
      more: field('bool', 3),
      count: field('int64', 4),
    },
  },
  PutRequest: { fields: { key: field('bytes', 1), value: field('bytes', 2) } },
  DeleteRangeRequest: { fields: { key: field('bytes', 1), range_end: field('bytes', 2) } },
  DeleteRangeResponse: {
    fields: { header: field('ResponseHeader', 1), deleted: field('int64', 2) },
  },
  RequestOp: {
    oneofs: { request: { oneof: ['request_put'] } },
    fields: { request_put: field('PutRequest', 2) },
  },
  TxnRequest: { fields: { success: repeated('RequestOp', 2) } },
  CompactionRequest: { fields: { revision: field('int64', 1) } },
  /** What Put, Txn and Compact answer, as far as we read it. */
  HeaderOnly: { fields: { header: field('ResponseHeader', 1) } },
  WatchCreateRequest: {
    fields: {
      key: field('bytes', 1),
      range_end: field('bytes', 2),
      start_revision: field('int64', 3),
      fragment: field('bool', 8),
    },
  },
  WatchRequest: {
    oneofs: { request_union: { oneof: ['create_request'] } },
    fields: { create_request: field('WatchCreateRequest', 1) },
  },
  Event: {
    nested: { EventType: { values: { PUT: 0, DELETE: 1 } } },
    fields: { type: field('EventType', 1), kv: field('KeyValue', 2) },
  },
  WatchResponse: {
    fields: {
      header: field('ResponseHeader', 1),
      created: field('bool', 3),
      canceled: field('bool', 4),
      compact_revision: field('int64', 5),
      cancel_reason: field('string', 6),
      fragment: field('bool', 7),
      events: repeated('Event', 11),
    },
  },
  StatusRequest: { fields: {} },
  StatusResponse: {
    fields: {
      header: field('ResponseHeader', 1),
      version: field('string', 2),
      dbSize: field('int64', 3),
    },
  },
};

const SERVICES = {
  KV: {
    methods: {
      Range: method('RangeRequest', 'RangeResponse'),
      Put: method('PutRequest', 'HeaderOnly'),
      DeleteRange: method('DeleteRangeRequest', 'DeleteRangeResponse'),
      Txn: method('TxnRequest', 'HeaderOnly'),
      Compact: method('CompactionRequest', 'HeaderOnly'),
    },
  },
  Watch: { methods: { Watch: method('WatchRequest', 'WatchResponse', true) } },
  Maintenance: { methods: { Status: method('StatusRequest', 'StatusResponse') } },
};

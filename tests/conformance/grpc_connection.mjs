// Connects @grpc/grpc-js to a rules server, with nothing but the descriptor set that the gateway hands out.
import grpc from "@grpc/grpc-js";
import { loadFileDescriptorSetFromBuffer } from "@grpc/proto-loader";

export async function connect({ gateway, rules }) {
  const answer = await fetch(`${gateway}/descriptors.binpb`);
  const descriptors = Buffer.from(await answer.arrayBuffer());
  const definition = loadFileDescriptorSetFromBuffer(descriptors, {
    keepCase: true,
    longs: Number,
    enums: String,
    oneofs: true,
    json: true, // decodes google.protobuf.Any by its type: typed payloads arrive as objects
  });
  const { matches, rules: pure } = grpc.loadPackageDefinition(definition).foldtable;
  const insecure = grpc.credentials.createInsecure();
  return {
    matches: new matches.v1.MatchService(rules, insecure),
    rules: new pure.v1.RulesService(rules, insecure),
    // What a status carries (google.rpc.Status): ErrorInfo, Refusal, Standing.
    details: (status) => definition["google.rpc.Status"].deserialize(status).details,
  };
}

// The headers of a call: who is calling.
export function as(credential) {
  const metadata = new grpc.Metadata();
  metadata.set("authorization", `Bearer ${credential}`);
  return metadata;
}

// A unary call as a promise.
export function call(service, method, request, metadata = new grpc.Metadata()) {
  return new Promise((resolve, reject) => {
    service[method](request, metadata, (error, answer) => (error ? reject(error) : resolve(answer)));
  });
}

// Calls over one stream as promises: answers come in any order, and each says which call it belongs to.
export function stream(service, method, metadata) {
  const waiting = new Map();
  const both = service[method](metadata);
  both.on("data", ({ replies }) => {
    for (const reply of replies) {
      waiting.get(reply.call_id)(reply);
      waiting.delete(reply.call_id);
    }
  });
  const ended = new Promise((resolve, reject) => both.on("end", resolve).on("error", reject));
  let last = 0;
  return {
    send: (...calls) => {
      const numbered = calls.map((one) => ({ call_id: ++last, ...one }));
      const answers = numbered.map(({ call_id }) => new Promise((resolve) => waiting.set(call_id, resolve)));
      both.write({ calls: numbered });
      return Promise.all(answers);
    },
    close: () => {
      both.end();
      return ended;
    },
  };
}

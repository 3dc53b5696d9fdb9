/** A series to be written: labels with `__name__`, samples of [milliseconds, value]. */
export interface WrittenSeries {
  readonly labels: Readonly<Record<string, string>>;
  readonly samples: readonly (readonly [number, number])[];
}

/**
 * Writes series into a Prometheus with `--web.enable-remote-write-receiver`, at the times they give.
 * @see https://prometheus.io/docs/specs/prw/remote_write_spec/ (version 1)
 */
export async function remoteWrite(url: string, series: readonly WrittenSeries[]): Promise<void> {
  const answer = await fetch(new URL('/api/v1/write', url), {
    method: 'POST',
    headers: {
      'content-type': 'application/x-protobuf',
      'content-encoding': 'snappy',
      'x-prometheus-remote-write-version': '0.1.0',
    },
    body: snappyLiterals(Buffer.concat(series.map((one) => field(1, timeSeries(one))))),
  });
  if (!answer.ok) throw new Error(`remote write: ${answer.status} ${await answer.text()}`);
}

function timeSeries({ labels, samples }: WrittenSeries): Buffer {
  const sorted = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  return Buffer.concat([
    ...sorted.map(([name, value]) =>
      field(1, Buffer.concat([field(1, Buffer.from(name)), field(2, Buffer.from(value))])),
    ),
    ...samples.map(([at, value]) => field(2, sample(at, value))),
  ]);
}

function sample(at: number, value: number): Buffer {
  const double = Buffer.alloc(8);
  double.writeDoubleLE(value);
  return Buffer.concat([Buffer.from([0x09]), double, Buffer.from([0x10]), varint(at)]);
}

/** A length-delimited protobuf field. */
function field(number: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(number << 3) | 2]), varint(content.length), content]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt(value);
  do {
    const more = rest > 0x7fn;
    bytes.push(Number(rest & 0x7fn) | (more ? 0x80 : 0));
    rest >>= 7n;
  } while (rest > 0n);
  return Buffer.from(bytes);
}

/** Valid snappy without compression: the length, then literals of up to 64 KiB. */
function snappyLiterals(content: Buffer): Buffer<ArrayBuffer> {
  const parts = [varint(content.length)];
  for (let at = 0; at < content.length; at += 65_536) {
    const chunk = content.subarray(at, at + 65_536);
    const length = chunk.length - 1;
    parts.push(Buffer.from([61 << 2, length & 0xff, length >> 8]), chunk);
  }
  return Buffer.concat(parts);
}

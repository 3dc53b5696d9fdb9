import { createReadStream, createWriteStream } from 'node:fs';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

/** Writes one file of a .tar.gz to `output`. Says whether the archive held it. */
export async function extractMember(
  archive: string,
  member: string,
  output: string,
): Promise<'extracted' | 'not-there'> {
  const { extract } = await import('tar-stream');
  const written: string[] = [];
  const entries = extract();
  entries.on('entry', (header, stream, next) => {
    const isIt = header.name.replace(/^\.\//, '') === member && header.type === 'file';
    if (isIt) written.push(header.name);
    const target = isIt ? createWriteStream(output) : nowhere();
    pipeline(stream, target).then(() => {
      next();
    }, next);
  });
  await pipeline(createReadStream(archive), createGunzip(), entries);
  return written.length > 0 ? 'extracted' : 'not-there';
}

function nowhere(): Writable {
  return new Writable({
    write: (_piece, _encoding, done) => {
      done();
    },
  });
}

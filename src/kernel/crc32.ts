type Crc32 = (bytes: Uint8Array | string, value: number) => number

/** Versions of Node.js whose native function takes these arguments. */
const KNOWN_VERSIONS = /^2[024]\./

let loaded: Crc32 | undefined

/** The CRC-32 of the bytes, continued from `value`, as `node:zlib` has it. That module loads all streams of Node.js, which takes as long as a short command. */
export function crc32(bytes: Uint8Array | string, value = 0): number {
  loaded ??= findNative() ?? process.getBuiltinModule('node:zlib').crc32
  return loaded(bytes, value)
}

/** Null where Node.js does not offer the function, or warns of its use. */
function findNative(): Crc32 | null {
  const { env, execArgv, versions } = process
  const warns = env['NODE_PENDING_DEPRECATION'] || `${execArgv} ${env['NODE_OPTIONS']}`.includes('pending-deprecation')
  if (warns || !KNOWN_VERSIONS.test(versions.node)) return null
  try {
    const { binding } = process as unknown as { binding(name: 'zlib'): { crc32?: Crc32 } }
    return binding.call(process, 'zlib').crc32 ?? null
  } catch {
    return null // under the permission model
  }
}

const HEADERS_SIZE = 0x200
const SECTION_ADDRESS = 0x1000
const MACHINE_X64 = 0x8664
const IS_LIBRARY = 0x2022

/** The bytes of a Windows library (PE32+) whose only function is one of another library: `createForwarder('a.dll', 'F', 'b.G')`. */
export function createForwarder(library, name, target) {
  const section = createExports(library, name, target)
  const bytes = Buffer.alloc(HEADERS_SIZE * 2)
  bytes.write('MZ', 0, 'latin1')
  bytes.writeUInt32LE(0x40, 0x3c)
  bytes.write('PE', 0x40, 'latin1')
  bytes.writeUInt16LE(MACHINE_X64, 0x44)
  bytes.writeUInt16LE(1, 0x46)
  bytes.writeUInt16LE(240, 0x54)
  bytes.writeUInt16LE(IS_LIBRARY, 0x56)
  writeOptionalHeader(bytes.subarray(0x58), section.length)
  writeSectionHeader(bytes.subarray(0x58 + 240), section.length)
  section.copy(bytes, HEADERS_SIZE)
  return bytes
}

function writeOptionalHeader(header, exportsSize) {
  header.writeUInt16LE(0x20b, 0)
  header.writeUInt32LE(HEADERS_SIZE, 8)
  header.writeBigUInt64LE(0x1_8000_0000n, 24)
  header.writeUInt32LE(0x1000, 32)
  header.writeUInt32LE(HEADERS_SIZE, 36)
  // The versions of the system and the subsystem: Windows 6.0, console.
  header.writeUInt16LE(6, 40)
  header.writeUInt16LE(6, 48)
  header.writeUInt32LE(SECTION_ADDRESS + 0x1000, 56)
  header.writeUInt32LE(HEADERS_SIZE, 60)
  header.writeUInt16LE(3, 68)
  header.writeUInt32LE(16, 108)
  header.writeUInt32LE(SECTION_ADDRESS, 112)
  header.writeUInt32LE(exportsSize, 116)
}

function writeSectionHeader(header, size) {
  header.write('.edata', 0, 'latin1')
  header.writeUInt32LE(size, 8)
  header.writeUInt32LE(SECTION_ADDRESS, 12)
  header.writeUInt32LE(HEADERS_SIZE, 16)
  header.writeUInt32LE(HEADERS_SIZE, 20)
  // Initialized data that can be read.
  header.writeUInt32LE(0x4000_0040, 36)
}

/** A directory with one function. Its address is that of a text in the directory, which means: it is the function with this name. */
function createExports(library, name, target) {
  const texts = [library, name, target].map((text) => Buffer.from(`${text}\0`, 'latin1'))
  const directory = Buffer.alloc(50)
  const addresses = texts.map(
    (_, index) => SECTION_ADDRESS + directory.length + Buffer.concat(texts.slice(0, index)).length,
  )
  directory.writeUInt32LE(addresses[0], 12)
  // Numbers begin at 1; there is one function, and one name.
  for (const offset of [16, 20, 24]) directory.writeUInt32LE(1, offset)
  for (const [index, offset] of [28, 32, 36].entries())
    directory.writeUInt32LE(SECTION_ADDRESS + 40 + index * 4, offset)
  directory.writeUInt32LE(addresses[2], 40)
  directory.writeUInt32LE(addresses[1], 44)
  return Buffer.concat([directory, ...texts])
}

/**
 * Fields of SQLite's header that another program changes although it changes no row: by a switch of the journal mode, or by a commit that
 * only sets a number such as `user_version`.
 */
export interface HeaderFields {
  changeCounter: number
  /** The change counter for which the number of pages is valid. */
  validFor: number
  /** The version of SQLite that wrote the file last. */
  version: number
}

/** The journal modes for writing and reading: 1 is a rollback journal, 2 a write-ahead log, which the engine cannot open. */
const JOURNAL_MODES_AT = 18
const CHANGE_COUNTER_AT = 24
const VALID_FOR_AT = 92
const VERSION_AT = 96

export function readHeaderFields(header: Uint8Array): HeaderFields {
  const bytes = Buffer.from(header.buffer, header.byteOffset, header.byteLength)
  return {
    changeCounter: bytes.readUInt32BE(CHANGE_COUNTER_AT),
    validFor: bytes.readUInt32BE(VALID_FOR_AT),
    version: bytes.readUInt32BE(VERSION_AT),
  }
}

/** Makes the first page what the engine wrote. */
export function writeHeaderFields(firstPage: Uint8Array, { changeCounter, validFor, version }: HeaderFields): void {
  const bytes = Buffer.from(firstPage.buffer, firstPage.byteOffset, firstPage.byteLength)
  bytes.writeUInt32BE(changeCounter, CHANGE_COUNTER_AT)
  bytes.writeUInt32BE(validFor, VALID_FOR_AT)
  bytes.writeUInt32BE(version, VERSION_AT)
  setRollbackJournal(bytes)
}

export function setRollbackJournal(firstPage: Uint8Array): void {
  firstPage.fill(1, JOURNAL_MODES_AT, JOURNAL_MODES_AT + 2)
}

function usesRollbackJournal(header: Uint8Array): boolean {
  return header[JOURNAL_MODES_AT] === 1 && header[JOURNAL_MODES_AT + 1] === 1
}

export function isSameHeader(header: Uint8Array, fields: HeaderFields): boolean {
  const { changeCounter, validFor, version } = readHeaderFields(header)
  return (
    usesRollbackJournal(header) &&
    changeCounter === fields.changeCounter &&
    validFor === fields.validFor &&
    version === fields.version
  )
}

import { describe, expect, it } from 'vitest'
import { isOutdatedStatement } from '../../../src/storage/postgres/prepared-statements'

const refusal = (code: string, routine: string) =>
  Object.assign(new Error('gecachter Plan darf den Ergebnistyp nicht ändern'), { severity: 'FEHLER', code, routine })

describe('a prepared statement', () => {
  it('is recognized as outdated in every language of the server', () => {
    expect(isOutdatedStatement(refusal('0A000', 'RevalidateCachedQuery'))).toBe(true)
    expect(isOutdatedStatement(refusal('26000', 'FetchPreparedStatement'))).toBe(true)
  })

  it('is not outdated if the server does not support it', () => {
    expect(isOutdatedStatement(refusal('0A000', 'transformSelectStmt'))).toBe(false)
    expect(isOutdatedStatement(new Error('cached plan must not change result type'))).toBe(false)
  })
})

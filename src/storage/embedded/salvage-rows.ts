import { Connection } from './connection'

export interface SalvagedRows {
  connection: Connection
  /** What could not be read, in words. */
  lost: string[]
}

/** Copies what can be read of a damaged SQLite file into a new database: its schema, and its rows from both ends of each table. */
export async function salvageRows(bytes: Uint8Array): Promise<SalvagedRows> {
  const from = await Connection.open(bytes)
  const to = await Connection.open(null)
  const lost: string[] = []
  try {
    const entries = [
      ...from.rows('select type, name, sql from sqlite_master where sql is not null'),
    ] as unknown as Entry[]
    const tables = entries.filter(({ type, name }) => type === 'table' && !name.startsWith('sqlite_'))
    to.runScript('pragma foreign_keys = off; begin')
    for (const table of tables) {
      to.runScript(table.sql)
      const copied = copyRows(from, to, table.name)
      if (!copied.isWhole) lost.push(`rows of the table ${table.name}: ${copied.rows} could be read`)
    }
    copyCounters(from, to)
    for (const entry of entries) if (entry.type !== 'table') to.runScript(entry.sql)
    to.runScript('commit; pragma foreign_keys = on')
  } catch (error) {
    lost.push(`the rest of the snapshot: ${error instanceof Error ? error.message : error}`)
  } finally {
    from.close()
  }
  return { connection: to, lost }
}

interface Entry {
  type: string
  name: string
  sql: string
}

function copyRows(from: Connection, to: Connection, table: string): { rows: number; isWhole: boolean } {
  const name = `"${table.replaceAll('"', '""')}"`
  let rows = 0
  const copyInOrder = (order: string) => {
    try {
      for (const row of from.rows(`select * from ${name} ${order}`)) {
        const values = Object.values(row)
        const marks = values.map(() => '?').join(', ')
        rows += to.run(`insert or ignore into ${name} values (${marks})`, values).changes
      }
      return true
    } catch {
      return false // from here on it cannot be read
    }
  }
  const isWhole = copyInOrder('')
  if (!isWhole) copyInOrder('order by rowid desc')
  return { rows, isWhole }
}

/** So that no id is given twice. */
function copyCounters(from: Connection, to: Connection): void {
  try {
    for (const { name, seq } of from.rows('select name, seq from sqlite_sequence')) {
      to.run('delete from sqlite_sequence where name = ?', [name])
      to.run('insert into sqlite_sequence (name, seq) values (?, ?)', [name, seq])
    }
  } catch {
    // no table counts its ids, or the counters are lost: then the highest id that was read counts
  }
}

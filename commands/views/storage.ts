import type { z } from 'zod'
import type { backupDatabase } from '../../src/storage/operations/backup-database'
import type { restoreDatabase } from '../../src/storage/operations/restore-database'
import type { runDoctor } from '../../src/storage/operations/run-doctor'
import { type Canvas, facts, printable } from '../layout'
import { plural } from '../wording'

type CheckUp = z.infer<typeof runDoctor.output>
type Repair = NonNullable<CheckUp['repair']>

/** The findings, each with its mend below it. */
export function checkUp({ findings, repair }: CheckUp, canvas: Canvas): string {
  const { paint } = canvas
  const marks = { ok: paint.good('✓'), warning: paint.warn('!'), problem: paint.bad('✗') }
  const width = Math.max(...findings.map(({ about }) => about.length))
  const lines = findings.map(({ about, level, message, mend }) => {
    const head = `${marks[level]} ${about.padEnd(width)}  ${printable(message)}\n`
    return mend === null ? head : `${head}  ${' '.repeat(width)}  ${paint.faint('→')} ${printable(mend)}\n`
  })
  const problems = findings.filter(({ level }) => level === 'problem').length
  const verdict = problems === 0 ? 'Nothing needs mending.' : `${plural(problems, 'problem')} to mend.`
  return `${repair ? repaired(repair, canvas) : ''}${lines.join('')}\n${verdict}\n`
}

function repaired({ keptAside, commits, lost, unfit }: Repair, { paint }: Canvas): string {
  const head = `${paint.good('✓')} Repaired; ${plural(commits, 'commit')} of the log applied. The damaged files are in ${printable(keptAside)}\n`
  const missing = lost.map((what) => `  ${paint.bad('lost')}  ${printable(what)}\n`).join('')
  const rest = unfit === null ? '' : `  Statements that could be read and not be applied: ${printable(unfit)}\n`
  return `${head}${missing || '  Nothing was lost.\n'}${rest}\n`
}

export function backup(made: z.infer<typeof backupDatabase.output>, canvas: Canvas): string {
  return [
    `${canvas.paint.good('✓')} Copied.\n`,
    facts(
      [
        ['File', printable(made.file)],
        ['Bytes', String(made.bytes)],
        ['SHA-256', made.sha256],
      ],
      canvas,
    ),
  ].join('')
}

export function restored(done: z.infer<typeof restoreDatabase.output>, canvas: Canvas): string {
  const aside = done.keptAside === null ? '' : `What was there before is in ${printable(done.keptAside)}\n`
  return `${canvas.paint.good('✓')} ${printable(done.database)} is now as ${printable(done.file)}\n${aside}`
}

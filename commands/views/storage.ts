import type { ResultOf } from '../../src/catalog'
import { pluralize } from '../../src/kernel/text/text'
import { type Canvas, facts, printable, table, wrapText } from '../terminal/layout'

type CheckUp = ResultOf<'system.doctor'>
type Repair = NonNullable<CheckUp['repair']>

/** The findings, each with its fix below it. */
export function renderCheckUp({ findings, repair }: CheckUp, canvas: Canvas): string {
  const { colors } = canvas
  const marks = { ok: colors.good('✓'), warning: colors.warn('!'), problem: colors.bad('✗') }
  const width = Math.max(...findings.map(({ about }) => about.length))
  const indent = ' '.repeat(width + 4)
  const wrapped = (text: string, before: string) =>
    wrapText(printable(text), canvas.width === null ? null : canvas.width - before.length).replaceAll(
      '\n',
      `\n${before}`,
    )
  const lines = findings.map(({ about, level, message, fix }) => {
    const head = `${marks[level]} ${about.padEnd(width)}  ${wrapped(message, indent)}\n`
    return fix === null ? head : `${head}${indent}${colors.faint('→')} ${wrapped(fix, `${indent}  `)}\n`
  })
  const problems = findings.filter(({ level }) => level === 'problem').length
  const warnings = findings.filter(({ level }) => level === 'warning').length
  const beside = warnings === 0 ? '' : `${pluralize(warnings, 'warning')}, `
  const clean = warnings === 0 ? 'Nothing needs to be fixed.' : `${beside}no problems.`
  const verdict = problems === 0 ? clean : `${beside}${pluralize(problems, 'problem')} to fix.`
  return `${repair ? renderRepair(repair, canvas) : ''}${lines.join('')}\n${verdict}\n`
}

function renderRepair(repair: Repair, canvas: Canvas): string {
  const { keptAside, commits, lostCommits, corrected, lost, removed, recreated } = repair
  const { colors } = canvas
  const mark = lost.length === 0 ? colors.good('✓') : colors.warn('!')
  const unapplied = lostCommits === 0 ? '' : `, ${lostCommits} could not be applied`
  const head = `${mark} Repaired; ${pluralize(commits, 'commit')} of the log applied${unapplied}. The previous files are in ${printable(keptAside)}\n`
  const missing = lost.map((what) => `  ${colors.bad('lost')}  ${printable(what)}\n`).join('')
  const right = corrected.map((where) => `  ${colors.good('corrected')}  ${printable(where)}\n`).join('')
  return `${head}${right}${missing || '  Nothing that studio stored was lost.\n'}${renderSchemaChanges({ removed, recreated }, canvas)}\n`
}

/** Triggers, views and tables in which the database differed from its migrations. */
function renderSchemaChanges(
  { removed, recreated }: Pick<Repair, 'removed' | 'recreated'>,
  { colors }: Canvas,
): string {
  return [
    ...removed.map((what) => `  ${colors.warn('removed')}  ${printable(what)}, which studio did not create\n`),
    ...recreated.map((what) => `  ${colors.warn('created')}  ${printable(what)}, which was missing or different\n`),
  ].join('')
}

export function renderBackup(made: ResultOf<'storage.backup'>, canvas: Canvas): string {
  return [
    `${canvas.colors.good('✓')} Copied.\n`,
    facts(canvas, [
      ['File', printable(made.file)],
      ['Bytes', String(made.bytes)],
      ['SHA-256', made.sha256],
    ]),
  ].join('')
}

export function renderRestored(done: ResultOf<'storage.restore'>, canvas: Canvas): string {
  const previous = done.keptAside === null ? '' : `The previous files are in ${printable(done.keptAside)}\n`
  const head = `${canvas.colors.good('✓')} ${printable(done.database)} was restored from ${printable(done.file)}\n`
  return `${head}${renderSchemaChanges(done, canvas)}${previous}`
}

type Moved = ResultOf<'storage.migrate'>

export function renderMigrated({ from, to, tables }: Moved, canvas: Canvas): string {
  const rows = table(canvas, tables, [
    { title: 'TABLE', text: ({ name }) => name },
    { title: 'ROWS', text: ({ rows }) => String(rows), align: 'right' },
    { title: 'CHECKSUM', text: ({ checksum }) => (canvas.width === null ? checksum : checksum.slice(0, 16)) },
  ])
  const total = tables.reduce((sum, { rows }) => sum + rows, 0)
  return [
    `${canvas.colors.good('✓')} ${pluralize(total, 'row')} copied and verified.\n`,
    facts(canvas, [
      ['From', printable(from)],
      ['To', printable(to)],
    ]),
    `\n${rows}`,
    `\nTo use it, set STUDIO_DB to ${printable(to)}\n`,
  ].join('')
}

export function renderPartitioned(
  { partitions, before, appointments, dryRun }: ResultOf<'appointments.partition'>,
  { colors }: Canvas,
): string {
  const from = before === 0 ? 'one table' : pluralize(before, 'partition')
  if (dryRun) return `Dry run: the appointments would be copied from ${from} into ${partitions} partitions.\n`
  return `${colors.good('✓')} Copied ${pluralize(appointments!, 'appointment')} from ${from} into ${partitions} partitions\n`
}

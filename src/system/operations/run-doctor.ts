import * as z from 'zod'
import { type Context, type Hint, operation, StudioError } from '../../kernel'
import { type Finding, ok, problem } from '../../kernel/finding'
import { isPostgresAddress, redactAddress } from '../../storage/services/database-address'
import type { StorageLocations, StorageLocationsContext } from '../../storage/services/storage-locations'

export interface DoctorContext extends StorageLocationsContext {
  /** The checks of other modules. */
  checkups?: readonly Checkup[]
  /** A hint as text, in which calls are command lines. */
  formatHint(hint: Hint): Promise<string>
}

/** The limits of a check. */
export interface CheckupBounds {
  /** False if reading the database would create it, change it or fail again. */
  mayRead: boolean
  /** Sends no requests to other machines or local servers. */
  offline: boolean
}

export type Checkup = (bounds: CheckupBounds) => Promise<Finding[]>

const FindingOutput = z.object({
  about: z.string().describe('The checked part: `base`, `log`, `schema`'),
  level: z.enum(['ok', 'warning', 'problem']),
  message: z.string(),
  fix: z.string().nullable().describe('How to fix it; null if there is nothing to fix'),
})

const Repair = z.object({
  keptAside: z.string().describe('The folder with the previous files'),
  commits: z.int().describe('Number of commits applied from the log'),
  lostCommits: z.int().describe('Number of commits of the log that could not be applied'),
  corrected: z.array(z.string()).describe('Where the database is again what studio wrote'),
  lost: z.array(z.string()).describe('Data that could not be saved'),
  removed: z.array(z.string()).describe('Tables, indexes, triggers and views that studio did not create'),
  recreated: z
    .array(z.string())
    .describe('Tables, indexes, triggers and views that were missing, or existed in another form'),
})

export const runDoctor = operation({
  id: 'system.doctor',
  summary: 'Check for problems and explain how to fix them',
  description:
    'Checks the database, Node.js, the folders and their permissions, the tracker with its token and clock, the language model, the port of the service, the time zone data and the search index. Changes nothing unless --repair is given, and waits a few seconds at most for other servers. The exit code is 0 with warnings, and 8 with problems or if a repair lost data.',
  effect: 'write',
  recorded: ({ repair }) => (repair ? 'at-end' : 'none'),
  access: 'admin',
  isExpensive: true,
  input: z.strictObject({
    repair: z
      .boolean()
      .default(false)
      .describe(
        'Save all readable data of a damaged database, list what is lost, and remove tables, indexes, triggers and views that studio did not create',
      ),
    quick: z.boolean().default(false).describe('Open the database, but do not read and check all of it'),
    offline: z.boolean().default(false).describe('Do not contact the tracker and the language model'),
  }),
  output: z.object({ findings: z.array(FindingOutput), repair: Repair.nullable() }),
  errors: [],
  cli: {
    command: 'doctor',
    examples: ['studio doctor', 'studio doctor --quick', 'studio doctor --offline --json'],
    seeAlso: ['backup', 'restore', 'config list', 'init'],
  },
  isPartial: ({ findings, repair }) =>
    findings.some(({ level }) => level === 'problem') || (repair !== null && repair.lost.length > 0),
  async run(ctx: Context & DoctorContext, { repair, quick, offline }) {
    const repaired = repair ? await repairStorage(ctx.locations) : null
    // Runs first, because other checks open the database, which may change it.
    const findings = await inspectStorage(ctx, quick)
    const mayRead =
      findings.every(({ level }) => level !== 'problem') &&
      findings.some(({ about, level }) => about === 'schema' && level === 'ok')
    const others = await Promise.all((ctx.checkups ?? []).map((checkup) => checkup({ mayRead, offline })))
    const described = [...findings, ...others.flat()].map(async (finding) => ({
      ...finding,
      fix: finding.fix && (await ctx.formatHint(finding.fix)),
    }))
    return { findings: await Promise.all(described), repair: repaired }
  },
})

async function inspectStorage({ locations, db }: StorageLocationsContext, quick: boolean): Promise<Finding[]> {
  if (!isPostgresAddress(locations.current)) {
    const { inspectDatabase } = await import('../../storage/embedded/repair/inspect-database')
    return inspectDatabase(locations.current, locations.migrations, { quick })
  }
  const address = redactAddress(locations.current)
  try {
    const state = await db.inspectServer!()
    const { inspectServer, listExpectedIndexes } = await import('../../storage/postgres/inspect-server')
    return [
      ok('database', `${address} is reachable: PostgreSQL ${state!.version}.`),
      ok('schema', 'The schema is up to date.'),
      ...inspectServer(state!, await listExpectedIndexes(locations)),
    ]
  } catch (error) {
    if (!(error instanceof StudioError)) throw error
    return [problem('database', error.message, error.hint ?? 'Check that the server is running.')]
  }
}

async function repairStorage({ current, migrations }: StorageLocations) {
  if (isPostgresAddress(current)) {
    throw new StudioError('invalid', `The database ${redactAddress(current)} cannot be repaired by studio.`, {
      hint: 'Use the tools of the PostgreSQL server.',
    })
  }
  const { repairDatabase } = await import('../../storage/embedded/repair/repair-database')
  return repairDatabase(current, migrations)
}

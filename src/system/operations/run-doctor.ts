import * as z from 'zod'
import { type Context, type Hint, operation, StudioError } from '../../kernel'
import { type Finding, ok, problem } from '../../kernel/finding'
import { isPostgresAddress, redactAddress } from '../../storage/services/database-address'
import type { StorageLocations, StorageLocationsContext } from '../../storage/services/storage-locations'

/** What an operation that looks at the whole of studio asks for. */
export interface DoctorContext extends StorageLocationsContext {
  /** What other parts have to say about themselves. */
  checkups?: readonly Checkup[]
  /** A hint as text, in which calls are command lines. */
  formatHint(hint: Hint): Promise<string>
}

/** What a check-up may do. */
export interface CheckupBounds {
  /** False where looking into the database would make it, change it, or only fail again. */
  mayRead: boolean
  /** Ask nothing of other machines, nor of a server on this one. */
  offline: boolean
}

export type Checkup = (bounds: CheckupBounds) => Promise<Finding[]>

const FindingOutput = z.object({
  about: z.string().describe('The part that was looked at: `snapshot`, `log`, `schema`'),
  level: z.enum(['ok', 'warning', 'problem']),
  message: z.string(),
  mend: z.string().nullable().describe('What to do about it; null where there is nothing to do'),
})

const Repair = z.object({
  keptAside: z.string().describe('The folder that keeps the damaged files'),
  commits: z.int().describe('Commits of the log that were applied'),
  lost: z.array(z.string()).describe('What could not be saved'),
  removed: z.array(z.string()).describe('Tables, indexes, triggers and views that studio did not create'),
  recreated: z
    .array(z.string())
    .describe('Tables, indexes, triggers and views that were missing, or existed in another form'),
  unfit: z.string().nullable().describe('A file of statements that are readable, and do not fit what is left'),
})

export const runDoctor = operation({
  id: 'system.doctor',
  summary: 'Look for faults, and say how to mend them',
  description:
    'Looks at the database, Node, the folders and their modes, the tracker with its token and clock, the language model, the port of the service, time zone data and the search index. Makes and changes nothing, unless --repair is given; asks others for some seconds at most. A warning leaves the exit code at 0, a problem makes it 8.',
  effect: 'write',
  access: 'admin',
  input: z.strictObject({
    repair: z
      .boolean()
      .default(false)
      .describe(
        'Save all that can be read of a damaged database, list what cannot, and remove tables, indexes, triggers and views that studio did not create',
      ),
    offline: z.boolean().default(false).describe('Do not ask the tracker and the language model'),
  }),
  output: z.object({ findings: z.array(FindingOutput), repair: Repair.nullable() }),
  errors: [],
  cli: {
    command: 'doctor',
    examples: ['studio doctor', 'studio doctor --offline --json'],
    seeAlso: ['backup', 'restore', 'config list', 'init'],
  },
  isPartial: ({ findings }) => findings.some(({ level }) => level === 'problem'),
  async run(ctx: Context & DoctorContext, { repair, offline }) {
    const repaired = repair ? await repairStorage(ctx.locations) : null
    const findings = await inspectStorage(ctx) // before others open the database, which may change it
    const mayRead =
      findings.every(({ level }) => level !== 'problem') &&
      findings.some(({ about, level }) => about === 'schema' && level === 'ok')
    const others = await Promise.all((ctx.checkups ?? []).map((checkup) => checkup({ mayRead, offline })))
    const described = [...findings, ...others.flat()].map(async (finding) => ({
      ...finding,
      mend: finding.mend && (await ctx.formatHint(finding.mend)),
    }))
    return { findings: await Promise.all(described), repair: repaired }
  },
})

async function inspectStorage({ locations: places, db }: StorageLocationsContext): Promise<Finding[]> {
  if (!isPostgresAddress(places.current)) {
    const { inspectDatabase } = await import('../../storage/embedded/inspect-database')
    return inspectDatabase(places.current, places.migrations)
  }
  const where = redactAddress(places.current)
  try {
    await db.read(async () => {})
    return [ok('database', `${where} answers.`), ok('schema', 'The newest of this version.')]
  } catch (error) {
    if (!(error instanceof StudioError)) throw error
    return [problem('database', error.message, error.hint ?? 'See that the server runs.')]
  }
}

async function repairStorage({ current, migrations }: StorageLocations) {
  if (isPostgresAddress(current)) {
    throw new StudioError('invalid', `The database ${redactAddress(current)} is repaired by its own tools.`)
  }
  const { repairDatabase } = await import('../../storage/embedded/repair-database')
  return repairDatabase(current, migrations)
}

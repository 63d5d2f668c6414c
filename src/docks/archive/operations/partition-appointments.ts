import * as z from 'zod'
import { type Context, operation, StudioError, settlePlan } from '../../../kernel'
import { pluralize } from '../../../kernel/text/text'
import { isPostgresAddress, type ReadTx, type StorageLocationsContext } from '../../../storage'
import { requirePartitionable } from '../queries/partition-obstacles'
import { countPartitions, partitionAppointments } from '../queries/partitions'

const Partitioning = z.object({
  partitions: z.int().describe('How many partitions the appointments are in; with dryRun, how many they would be in'),
  before: z.int().describe('How many they were in before; 0 for one table'),
  appointments: z.int().nullable().describe('Number of appointments that were copied; null with dryRun'),
  dryRun: z.boolean(),
})

export const partitionAppointmentTable = operation({
  id: 'appointments.partition',
  summary: 'Split the appointments of a server into partitions by facility',
  description: [
    'For PostgreSQL. Each facility is in exactly one partition, so the protection against double bookings stays complete, and calls for one facility use that',
    'partition only. All appointments are copied in one transaction: calls that need them wait, and get 503 with Retry-After after ten seconds.',
    'If the command is interrupted, nothing changes. Run it again with another number to split them differently.',
  ].join(' '),
  effect: 'write',
  access: 'admin',
  input: z.strictObject({
    partitions: z.int().min(2).max(256).default(16).describe('Number of partitions'),
    dryRun: z.boolean().default(false).describe('Show what would be done, and change nothing'),
  }),
  output: Partitioning,
  errors: ['conflict', 'unavailable', 'disk_full'],
  cli: {
    command: 'db partition',
    confirmDryRun: (answer) => formatQuestion(answer as z.output<typeof Partitioning>),
    examples: ['studio db partition --dry-run', 'studio db partition --partitions 32 --yes'],
    seeAlso: ['db migrate', 'appointment archive', 'doctor'],
  },
  async run(ctx: Context & StorageLocationsContext, { partitions, dryRun }) {
    if (!isPostgresAddress(ctx.locations.current))
      throw new StudioError('invalid', 'The database is a file, which has no partitions.', {
        hint: 'Set STUDIO_DB to a PostgreSQL server.',
      })
    const decide = async (tx: ReadTx) => {
      const before = await countPartitions(tx)
      settlePlan(ctx, { before })
      return before
    }
    const shown = await ctx.db.read(async (tx) => {
      await requirePartitionable(tx)
      return decide(tx)
    })
    if (dryRun) return { partitions, before: shown, appointments: null, dryRun }
    return ctx.db.write(
      async (tx) => {
        const before = await decide(tx)
        if (before === partitions)
          throw new StudioError('conflict', `The appointments are in ${partitions} partitions already.`, {
            hint: 'Specify another number with --partitions.',
          })
        const appointments = await partitionAppointments(tx, {
          count: partitions,
          onPartition: (done) => ctx.progress({ label: 'partitioning', done, total: partitions }),
        })
        return { partitions, before, appointments, dryRun }
      },
      { changesSchema: true },
    )
  },
})

function formatQuestion({ partitions, before }: z.output<typeof Partitioning>): string | null {
  const from = before === 0 ? 'one table' : pluralize(before, 'partition')
  return `Copy the appointments from ${from} into ${partitions} partitions, while calls that need them wait?`
}

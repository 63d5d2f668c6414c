import * as z from 'zod'
import { operation } from '../../kernel'
import type { Tracker } from '../../tracker'
import { getAdapter } from '../../tracker/adapters'
import { StateCategory, TrackerName } from '../schemas'
import { openNamedTracker } from '../services/tracker-link'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../services/workspace-context'

export const describeTracker = operation({
  id: 'items.metadata',
  summary: "Show the tracker's areas, iterations, types and states",
  description:
    'Reads the current process of the project. Names can differ in each project. `capabilities` says what the tracker can do that others cannot.',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({ tracker: TrackerName.optional() }),
  output: z.object({
    areaPaths: z.array(z.string()),
    iterations: z.array(
      z.object({ path: z.string(), startDate: z.string().nullable(), finishDate: z.string().nullable() }),
    ),
    workItemTypes: z.array(
      z.object({
        name: z.string(),
        color: z.string().nullable().describe('Six hexadecimal digits'),
        category: z.string().nullable().describe('The category of the type in the process'),
        level: z
          .int()
          .nullable()
          .describe('Backlog level: 0 task, 1 story, 2 feature, 3 epic …; null if it is on no backlog'),
        states: z.array(
          z.object({ name: z.string(), category: StateCategory.nullable(), color: z.string().nullable() }),
        ),
        requiredFields: z
          .array(z.string())
          .describe('Fields that a new item must have, besides those with a default value'),
      }),
    ),
    pointsField: z
      .object({ name: z.string(), referenceName: z.string() })
      .nullable()
      .describe('The field for story points in this process'),
    capabilities: z
      .object({
        tracker: z.string().describe('The product and the project'),
        links: z.array(z.string()).describe('Kinds of links that can be added and removed'),
        properties: z.array(z.string()).describe('Properties of items that can be set, if the project has the field'),
        textFormat: z.enum(['html', 'markdown']).describe('How the tracker stores long texts and comments'),
        listsChanges: z.boolean().describe('Whether items.sync asks for changes, instead of comparing all items'),
        testsRevisions: z.boolean().describe('Whether the tracker itself refuses a change of an outdated item'),
      })
      .describe('What this tracker can do'),
  }),
  errors: [...TRACKER_ERRORS],
  http: { method: 'get', path: '/api/devops/metadata' },
  cli: {
    command: 'item metadata',
    examples: ['studio item metadata', 'studio item metadata --json'],
    seeAlso: ['batch-update', 'item search'],
  },
  async run(ctx: TrackerWorkspaceContext, { tracker: name }) {
    ctx.progress({ label: 'reading the process' })
    const tracker = await openNamedTracker(ctx, name)
    const process = await tracker.describeProcess(ctx.signal, ['areas', 'iterations', 'categories'])
    const points = process.fields.find((field) => field.property === 'storyPoints')
    const names = new Map(process.fields.map(({ referenceName, name }) => [referenceName, name]))
    return {
      areaPaths: process.areaPaths,
      iterations: process.iterations,
      workItemTypes: process.types.map(({ fieldReferenceNames: _names, descriptionField: _field, ...type }) => ({
        ...type,
        requiredFields: type.requiredFields.map((name) => names.get(name) ?? name),
      })),
      pointsField: points ? { name: points.name, referenceName: points.referenceName } : null,
      capabilities: describeCapabilities(tracker),
    }
  },
})

function describeCapabilities({ kind, name, capabilities }: Tracker) {
  const { linkKinds, properties, textFormat, listsChanges, testsRevisions } = capabilities
  const tracker = `${getAdapter(kind).product} (${name})`
  return { tracker, links: [...linkKinds], properties: [...properties], textFormat, listsChanges, testsRevisions }
}

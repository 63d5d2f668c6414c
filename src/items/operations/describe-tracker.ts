import * as z from 'zod'
import { inputError, operation } from '../../kernel'
import { equalsIgnoringCase } from '../../kernel/text/text'
import type { Tracker, TrackerProcess } from '../../tracker'
import { getAdapter } from '../../tracker/adapters'
import { describeUnknownField, findNamedFields } from '../rules/custom-fields'
import { StateCategory, TrackerName } from '../schemas'
import { openNamedTracker } from '../services/tracker-link'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../services/workspace-context'

export const describeTracker = operation({
  id: 'items.metadata',
  summary: "Show the tracker's areas, iterations, types, states and fields",
  description:
    'Reads the current process of the project. Names can differ in each project. `capabilities` says what the tracker can do that others cannot. With a type and a field, `allowedValues` lists what the field may be.',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({
    tracker: TrackerName.optional(),
    type: z.string().min(1).max(200).optional().describe('With field: the work item type whose values to list'),
    field: z.string().min(1).max(200).optional().describe('With type: a field by its name, to list its allowed values'),
  }),
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
    fields: z
      .array(
        z.object({
          name: z.string().describe('The display name, by which it can be set, shown and searched'),
          referenceName: z.string(),
          kind: z.enum(['string', 'text', 'integer', 'number', 'date', 'boolean', 'identity', 'path', 'tags', 'list']),
          readOnly: z.boolean(),
        }),
      )
      .describe('Fields of the tracker that are no property of every work item'),
    allowedValues: z
      .array(z.string())
      .nullable()
      .optional()
      .describe('With a type and a field: what it may be; null if the tracker does not restrict it'),
    capabilities: z
      .object({
        tracker: z.string().describe('The product and the project'),
        links: z.array(z.string()).describe('Kinds of links that can be added and removed'),
        properties: z.array(z.string()).describe('Properties of items that can be set, if the project has the field'),
        parts: z.array(z.string()).describe('What only some trackers have'),
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
    examples: [
      'studio item metadata',
      'studio item metadata --type Bug --field Severity',
      'studio item metadata --json',
    ],
    seeAlso: ['batch-update', 'item search'],
  },
  async run(ctx: TrackerWorkspaceContext, { tracker: name, type, field }) {
    if ((type === undefined) !== (field === undefined))
      throw inputError([{ path: type === undefined ? 'type' : 'field', message: 'is required with the other one' }])
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
      fields: process.fields
        .filter(({ property }) => property === null)
        .map(({ name, referenceName, kind, readOnly }) => ({ name, referenceName, kind, readOnly }))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
      ...(type !== undefined &&
        field !== undefined && { allowedValues: await readAllowedValues(ctx, tracker, process, { type, field }) }),
      pointsField: points ? { name: points.name, referenceName: points.referenceName } : null,
      capabilities: describeCapabilities(tracker),
    }
  },
})

/** Throws `invalid` for a type or a field that the process does not have. */
async function readAllowedValues(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  process: TrackerProcess,
  named: { type: string; field: string },
): Promise<string[] | null> {
  const type = process.types.find(({ name }) => equalsIgnoringCase(name, named.type))
  const [field] = findNamedFields(process.fields, named.field)
  const problems = [
    ...(type ? [] : [{ path: 'type', message: `must be one of ${process.types.map(({ name }) => name).join(', ')}` }]),
    ...(field ? [] : [{ path: 'field', message: describeUnknownField(named.field, process.fields) }]),
  ]
  if (!type || !field) throw inputError(problems)
  if (field.property === 'state') return type.states.map(({ name }) => name)
  if (field.kind === 'path')
    return field.property === 'areaPath' ? process.areaPaths : process.iterations.map(({ path }) => path)
  return tracker.listAllowedValues(type.name, field.referenceName, ctx.signal)
}

function describeCapabilities({ kind, name, capabilities }: Tracker) {
  const { linkKinds, properties, parts, textFormat, listsChanges, testsRevisions } = capabilities
  const tracker = `${getAdapter(kind).product} (${name})`
  const lists = { links: [...linkKinds], properties: [...properties], parts: [...parts] }
  return { tracker, ...lists, textFormat, listsChanges, testsRevisions }
}

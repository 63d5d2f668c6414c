import * as z from 'zod'
import {
  createUpdateError,
  IMAGES_OF_TEXTS,
  ImageFiles,
  ItemId,
  MAX_IMAGE_BODY_BYTES,
  nameItems,
  PlannedUploads,
  Reference,
  removeLeftMarkers,
  TRACKER_ERRORS,
  TrackerName,
  type TrackerWorkspaceContext,
} from '../../items'
import { longText, operation, StudioError, settleLongPlan, storableText } from '../../kernel'
import { FolderId } from '../schemas'
import { planWork } from '../trees/services/plan-work'
import type { NodeOutcome } from '../trees/services/publish-nodes'

const PlannedAction = z.enum(['create', 'update', 'none', 'conflict'])
const NodeStatus = z.enum([
  'planned',
  'created',
  'updated',
  'unchanged',
  'conflict',
  'rejected',
  'unknown',
  'notAttempted',
])

const PublishedTree = z.object({
  dryRun: z.boolean(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  failed: z.int().describe('Conflicts, rejected items and those whose outcome is not known'),
  notAttempted: z.int(),
  problems: z
    .array(z.object({ path: z.string().describe('File and line, or the draft'), message: z.string() }))
    .describe('In a dry run: what must be corrected; otherwise problems are an error, and nothing is sent'),
  nodes: z.array(
    z.object({
      place: z.string().describe('File and line, or the draft'),
      title: z.string(),
      depth: z.int().describe('0 for a root'),
      type: z.string().describe('Empty if none could be chosen'),
      action: PlannedAction.describe(
        'What was planned; "none" if it was published and has not changed; "conflict" if both sides have changed the same',
      ),
      status: NodeStatus,
      itemId: z.int().nullable(),
      reference: Reference.nullable(),
      fields: z.array(z.string()).describe('The fields that are set'),
      uploads: PlannedUploads,
      message: z.string().nullable(),
    }),
  ),
  gone: z
    .array(z.object({ itemId: z.int(), reference: Reference, title: z.string() }))
    .describe('Items that were published from these files and are no longer in them; they stay in the tracker'),
})
export type PublishedTree = z.infer<typeof PublishedTree>

export const publishTree = operation({
  id: 'items.publish-tree',
  summary: 'Publish stories with their tasks from Markdown files, or the drafts of a folder',
  description:
    'Headings and unchecked boxes are work items: what is below a heading of a higher level is below that item. Without a line "type: …", an item gets the type one level below its parent. Lines directly below a heading in the form "name: value" set fields; the sections "Description" and "Acceptance criteria" and all other text are its texts. All files are checked before anything is sent. Each item is created once, also if the call is interrupted and repeated: what was published from a place in a file is found again, and published files update only what was changed in them. With a folder of the workspace in place of files, each draft in it and in the folders below it is published as one item. An item that both sides have changed stays as it is until the call says whose version wins; all others are published.',
  effect: 'write',
  recorded: 'from-start',
  access: 'workspace',
  changesTracker: true,
  isExpensive: true,
  input: z.strictObject({
    files: z
      .array(
        z.strictObject({
          name: storableText(1_000)
            .min(1)
            .describe('Identifies the file: the same name again updates what was published'),
          text: longText().describe('In Markdown'),
          images: ImageFiles.optional().describe(IMAGES_OF_TEXTS),
        }),
      )
      .min(1)
      .max(1_000)
      .optional()
      .describe('The files; together at most 1,000 items'),
    folderId: FolderId.optional().describe(
      'In place of files: the drafts of this folder and of those below it; the new items are below the parent, if there is one',
    ),
    parentId: ItemId.optional().describe('The work item to create the first level below'),
    tracker: TrackerName.optional().describe(
      'Name of another tracker in the settings (default: that of the parent, else the default tracker)',
    ),
    prefer: z
      .enum(['draft', 'tracker'])
      .optional()
      .describe('Whose version wins where the file and the tracker have both changed the same: the file is the draft'),
    dryRun: z.boolean().default(false).describe('Send nothing; show the items and what is wrong with them'),
  }),
  output: PublishedTree,
  errors: ['not_found', 'conflict', ...TRACKER_ERRORS],
  http: {
    method: 'post',
    path: '/api/stories/publish-tree',
    extension: true,
    maxBodyBytes: MAX_IMAGE_BODY_BYTES,
    withinMs: 10 * 60_000,
    example: { files: [{ name: 'gate.md', text: '# Check in at the kiosk\n\n- [ ] Order a kiosk\n' }], dryRun: true },
  },
  cli: {
    command: 'draft publish-tree',
    args: ['files...'],
    argumentNames: { files: 'path' },
    flags: {
      files: { about: 'Markdown files, or folders of this machine with them' },
      folderId: { name: 'folder', value: 'id' },
      parentId: { name: 'parent', value: 'itemId' },
      prefer: false,
    },
    extraFlags: [
      { flag: '--ours', about: 'Settle conflicts with the version of the files or drafts', standsFor: ['prefer'] },
      { flag: '--theirs', about: 'Settle conflicts with the version of the tracker', standsFor: ['prefer'] },
    ],
    toInput: parseArguments,
    confirm: (input) => (input['dryRun'] === true ? null : 'Create or update these work items?'),
    confirmDryRun: (preview) => askAfterPreview(preview as PublishedTree),
    examples: [
      'studio draft publish-tree story.md --parent 101 --dry-run',
      'studio draft publish-tree --folder 1 --parent 101 --dry-run',
    ],
    seeAlso: ['draft publish', 'item create', 'item metadata'],
  },
  isPartial: (answer) => !answer.dryRun && answer.failed + answer.notAttempted > 0,
  async run(ctx: TrackerWorkspaceContext, input): Promise<PublishedTree> {
    const { dryRun, parentId = null } = input
    if ((input.files === undefined) === (input.folderId === undefined))
      throw new StudioError('invalid', 'Specify either Markdown files or a folder of drafts (folderId), not both.')
    const prefer =
      input.prefer === undefined ? null : input.prefer === 'draft' ? ('ours' as const) : ('theirs' as const)
    const { link, ...plan } = await planWork(ctx, { ...input, parentId, prefer })
    const { nodes, problems, gone } = plan
    if (problems.length > 0 && !dryRun) throw createUpdateError(problems)
    const identity = await link.tracker.resolveIdentity(ctx.signal)
    const facts = nodes.map(({ node, origin, type, action, itemId, changes, values, uploads }) => ({
      path: node.path,
      origin,
      type,
      action,
      itemId,
      changes,
      values,
      uploads,
    }))
    await settleLongPlan(ctx, [{ identity, parentId, problems }, ...facts])
    const { publishNodes } = await import('../trees/services/publish-nodes')
    const outcomes: readonly NodeOutcome[] | null = dryRun
      ? null
      : await publishNodes(ctx, link, { nodes, parentId, prefer })
    if (!dryRun) await removeLeftMarkers(ctx)
    const ids = nodes.map((one, index) => outcomes?.[index]?.itemId ?? one.itemId)
    const nameOf = await nameItems(
      ctx,
      [...ids, ...gone.map(({ itemId }) => itemId)].filter((id) => id !== null),
    )
    const count = (...wanted: NodeOutcome['status'][]) =>
      outcomes?.filter(({ status }) => wanted.includes(status)).length ?? 0
    return {
      dryRun,
      created: count('created'),
      updated: count('updated'),
      unchanged: count('unchanged'),
      failed: count('conflict', 'rejected', 'unknown'),
      notAttempted: count('notAttempted'),
      problems: problems.map(({ path, message }) => ({ path, message })),
      nodes: nodes.map(({ node, type, action, changes, uploads, notes }, index) => ({
        place: node.place,
        title: node.title,
        depth: node.path.length - 1,
        type,
        action,
        status: outcomes?.[index]?.status ?? ('planned' as const),
        itemId: ids[index] ?? null,
        reference: ids[index] == null ? null : nameOf(ids[index]),
        fields: changes.map(({ field }) => field),
        uploads: uploads ?? [],
        message: outcomes?.[index]?.message ?? (notes.join(' ') || null),
      })),
      gone: gone.map(({ itemId, title }) => ({ itemId: itemId!, reference: nameOf(itemId!), title })),
    }
  },
})

/** The texts are read before the call: `commands/operation/tree-files.ts`. */
function parseArguments({ files, ours, theirs, ...typed }: Record<string, unknown>): Record<string, unknown> {
  if (ours === true && theirs === true) throw new StudioError('invalid', 'Specify either --ours or --theirs, not both.')
  const prefer = ours === true ? 'draft' : theirs === true ? 'tracker' : undefined
  const named = ((files ?? []) as string[]).map((name) => ({ name, text: '' }))
  return { ...typed, ...(named.length > 0 && { files: named }), ...(prefer && { prefer }) }
}

/** Null if there is nothing to send. */
function askAfterPreview({ nodes, problems }: PublishedTree): string | null {
  const [created, updated] = (['create', 'update'] as const).map(
    (action) => nodes.filter((node) => node.action === action).length,
  )
  if (problems.length > 0 || created! + updated! === 0) return null
  const parts = [
    ...(created! > 0 ? [`create ${created} work items`] : []),
    ...(updated! > 0 ? [`update ${updated}`] : []),
  ]
  const question = parts.join(' and ')
  return `${question[0]!.toUpperCase()}${question.slice(1)}?`
}

import * as z from 'zod'
import { inputError, operation, StudioError } from '../../../kernel'
import { toArgument } from '../../../kernel/text/item-reference'
import { pluralize } from '../../../kernel/text/text'
import { ItemId, Reference } from '../../schemas'
import { openLocalFile, spool } from '../../services/attachments/local-content'
import type { LocalFilesContext } from '../../services/attachments/local-files'
import { SentAttachment, sendAttachments } from '../../services/attachments/send-attachments'
import { nameItems } from '../../services/name-items'
import { openTrackerPart } from '../../services/tracker-part'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../../services/workspace-context'

const AttachedFiles = z.object({
  dryRun: z.boolean(),
  id: z.int(),
  reference: Reference,
  files: z.array(SentAttachment),
})

export const attachFiles = operation({
  id: 'items.attach-files',
  summary: 'Attach files to a work item',
  description:
    'Sends files of this machine, one after the other, without loading them into memory. If the response of the tracker is lost, the attachments of the item are read before anything is sent again.',
  effect: 'write',
  recorded: 'from-start',
  access: 'workspace',
  changesTracker: true,
  isExpensive: true,
  input: z.strictObject({
    id: ItemId,
    files: z.array(z.string().min(1)).min(1).max(50).describe('The files to attach; - is standard input'),
    name: z.string().trim().min(1).max(255).optional().describe('Name of the file (default: that of the path)'),
    dryRun: z.boolean().default(false).describe('Send nothing; show what would be sent'),
  }),
  output: AttachedFiles,
  errors: ['not_found', 'conflict', 'disk_full', 'read_only', ...TRACKER_ERRORS],
  isPartial: ({ dryRun, files }) => !dryRun && files.some(({ status }) => status !== 'added'),
  cli: {
    command: 'item attach',
    args: ['id', 'files...'],
    argumentNames: { files: 'file' },
    paths: ['files'],
    // A script names the files, so only a person is asked.
    confirm: () => null,
    confirmDryRun: (preview) => {
      const { files, reference } = preview as z.output<typeof AttachedFiles>
      return `Attach ${pluralize(files.length, 'file')} to work item ${toArgument(reference)}?`
    },
    examples: [
      'studio item attach 204 shot.png --dry-run',
      'studio item attach 204 - --name notes.txt --yes < notes.txt',
    ],
    seeAlso: ['item attachments', 'item attachment get', 'item comment'],
  },
  async run(ctx: TrackerWorkspaceContext & LocalFilesContext, { id, files: paths, name, dryRun }) {
    if (name !== undefined && paths.length > 1) throw inputError([{ path: 'name', message: 'goes with one file' }])
    // The tracker is asked first: it says how much of a stream is worth storing.
    const { part } = await openTrackerPart(ctx, { ids: [id] }, 'uploads')
    const { maxBytes } = part
    const files: Awaited<ReturnType<typeof openLocalFile>>[] = []
    try {
      for (const path of paths)
        files.push(
          path === '-'
            ? await readInput(ctx, name, maxBytes)
            : await openLocalFile(ctx.localFiles.resolve(path), name, ctx.signal, maxBytes),
        )
      const sent = await sendAttachments(ctx, { id, files, dryRun })
      return { dryRun, id, reference: (await nameItems(ctx, [id]))(id), files: sent }
    } finally {
      for (const file of files) await file.close()
    }
  },
})

function readInput(
  { localFiles, signal }: TrackerWorkspaceContext & LocalFilesContext,
  name: string | undefined,
  maxBytes: number | null,
) {
  if (name === undefined)
    throw new StudioError('invalid', 'The file from standard input needs a name.', { hint: 'Add --name <name>.' })
  if (localFiles.readInput === undefined) throw new StudioError('invalid', 'There is no standard input here.')
  return spool(localFiles.readInput(signal), name, signal, maxBytes)
}

import * as z from 'zod'
import { familyOf, operation, StudioError } from '../../../kernel'
import { formatByteSize, parseByteSize } from '../../../kernel/files/byte-size'
import { makeFolder } from '../../../storage'
import { ItemId, Reference } from '../../schemas'
import { AttachmentName } from '../../services/attachments/attachment-schemas'
import {
  chooseAttachment,
  type FoundAttachment,
  type FoundAttachments,
  findAttachments,
} from '../../services/attachments/find-attachments'
import type { LocalFilesContext } from '../../services/attachments/local-files'
import { copyAttachment } from '../../services/attachments/read-attachment'
import { AttachmentTooLargeError, OutputTarget } from '../../services/attachments/receive-content'
import { explainFileError, saveToFolder } from '../../services/attachments/save-to-folder'
import { nameItems } from '../../services/name-items'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../../services/workspace-context'

type DownloadContext = TrackerWorkspaceContext & LocalFilesContext

const DEFAULT_MAX_BYTES = 200_000_000
const LARGEST_LIMIT = 1_000_000_000_000

const SavedAttachment = z.object({
  attachmentId: z.string(),
  name: z.string(),
  status: z
    .enum(['saved', 'unchanged', 'failed'])
    .describe('`unchanged` if the folder has the same file already, under this name'),
  path: z.string().nullable().describe('Null if it failed or was written to standard output'),
  bytes: z.number().nullable(),
  sha256: z.string().nullable(),
  message: z.string().nullable().describe('Why it failed'),
})
type SavedAttachment = z.output<typeof SavedAttachment>

export const downloadAttachments = operation({
  id: 'items.download-attachments',
  summary: 'Save attachments of a work item to a folder',
  description:
    'A file appears under its name when it is complete. If the download is interrupted, the next one continues it, unless the file has changed meanwhile. A file in the folder is never replaced: another one with its name gets a number.',
  effect: 'read',
  access: 'workspace',
  isExpensive: true,
  input: z.strictObject({
    id: ItemId,
    attachment: AttachmentName.optional().describe('Name or ID of the attachment (default: the only one)'),
    all: z.boolean().default(false).describe('Save all attachments'),
    to: z
      .string()
      .min(1)
      .default('.')
      .describe('The folder, which is created if it is missing; - writes one file to standard output'),
    maxBytes: z
      .int()
      .min(1)
      .max(LARGEST_LIMIT)
      .default(DEFAULT_MAX_BYTES)
      .describe('Size of the largest file in bytes'),
    cached: z
      .boolean()
      .default(false)
      .describe('Save the files that an import has stored, without calling the tracker'),
  }),
  output: z.object({
    id: z.int(),
    reference: Reference,
    to: z.string(),
    files: z.array(SavedAttachment),
  }),
  errors: ['not_found', 'conflict', 'disk_full', 'read_only', ...TRACKER_ERRORS],
  isPartial: ({ files }) => files.some(({ status }) => status === 'failed'),
  cli: {
    command: 'item attachment get',
    args: ['id', 'attachment'],
    argumentNames: { attachment: 'name' },
    flags: { to: { value: 'folder' }, maxBytes: false },
    extraFlags: [
      {
        flag: '--max <size>',
        about: `Size of the largest file, such as 2gb (default: ${formatByteSize(DEFAULT_MAX_BYTES)})`,
        standsFor: ['maxBytes'],
      },
    ],
    toInput: ({ max, ...words }) => (max === undefined ? words : { ...words, maxBytes: parseSize(String(max)) }),
    examples: [
      'studio item attachment get 204 door-message.png',
      'studio item attachment get 204 --all --to attachments',
      'studio item attachment get 204 gate-messages.txt --to - | sha256sum',
    ],
    seeAlso: ['item attachments', 'item attach', 'import'],
  },
  async run(ctx: DownloadContext, { id, attachment: wanted, all, to, maxBytes, cached }) {
    if (all && (wanted !== undefined || to === '-'))
      throw new StudioError('invalid', `--all does not go with ${to === '-' ? '--to -' : 'the name of an attachment'}.`)
    const found = await findAttachments(ctx, id, { cached })
    const reference = (await nameItems(ctx, [id]))(id)
    const chosen = all ? found.attachments : [chooseAttachment(found.attachments, wanted, { id, reference })]
    const request = { id, found, maxBytes }
    if (to === '-') return { id, reference, to, files: [await writeToOutput(ctx, chosen[0]!, request)] }
    const folder = ctx.localFiles.resolve(to)
    try {
      makeFolder(folder)
    } catch (error) {
      throw explainFileError(error, folder)
    }
    const files: SavedAttachment[] = []
    for (const attachment of chosen) {
      const saving = saveOne(ctx, folder, attachment, request)
      // Each of the others may still be there.
      files.push(await (all ? saving.catch((error) => describeFailure(error, attachment)) : saving))
    }
    return { id, reference, to: folder, files }
  },
})

interface Request {
  id: number
  found: FoundAttachments
  maxBytes: number
}

async function saveOne(
  ctx: DownloadContext,
  folder: string,
  attachment: FoundAttachment,
  { id, found, maxBytes }: Request,
): Promise<SavedAttachment> {
  const key = JSON.stringify([found.tracker, id, attachment.id, found.reader === null])
  const saved = await saveToFolder(folder, { name: attachment.safeName, key }, (target) =>
    copyAttachment(ctx, found, attachment, target, maxBytes).catch((error) => {
      throw explainSize(error)
    }),
  )
  const { path, bytes, sha256, wasThere } = saved
  const status = wasThere ? 'unchanged' : 'saved'
  return { attachmentId: attachment.id, name: attachment.safeName, status, path, bytes, sha256, message: null }
}

async function writeToOutput(
  ctx: DownloadContext,
  attachment: FoundAttachment,
  { found, maxBytes }: Request,
): Promise<SavedAttachment> {
  const { writeOutput } = ctx.localFiles
  if (writeOutput === undefined) throw new StudioError('invalid', 'There is no standard output here. Name a folder.')
  const target = new OutputTarget(attachment.safeName, writeOutput)
  await copyAttachment(ctx, found, attachment, target, maxBytes).catch((error) => {
    throw explainSize(error)
  })
  const { id, safeName: name } = attachment
  return { attachmentId: id, name, status: 'saved', path: null, bytes: target.size, sha256: null, message: null }
}

/** The rest of the files is not tried if the reason concerns them too. */
function describeFailure(error: unknown, { id, safeName: name }: FoundAttachment): SavedAttachment {
  const isOfFile =
    error instanceof StudioError &&
    !['unauthenticated', 'interrupted', 'internal'].includes(familyOf(error.code)) &&
    !['disk_full', 'read_only'].includes(error.code)
  if (!isOfFile) throw error
  return { attachmentId: id, name, status: 'failed', path: null, bytes: null, sha256: null, message: error.message }
}

function explainSize(error: unknown): unknown {
  return error instanceof AttachmentTooLargeError ? error.withHint('Raise the limit: --max 2gb') : error
}

function parseSize(text: string): number {
  const bytes = parseByteSize(text)
  if (bytes !== null) return bytes
  throw new StudioError('invalid', `--max: "${text}" is no size.`, { hint: 'Write it as 500kb, 200mb or 2gb.' })
}

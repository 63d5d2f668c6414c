import { type Hint, hint, StudioError } from '../../../kernel'
import { formatInstant, MINUTE_MS } from '../../../kernel/time'
import type { AttachmentWriter, Tracker } from '../../../tracker'
import { type ItemUpload, listItemUploads, removeItemUpload, saveItemUpload } from '../../queries'
import { createRejectionError } from '../create/create-rejection-error'
import type { TrackerWorkspaceContext } from '../workspace-context'
import type { ImageFile } from './image-files'

/** How long another process may take to send a file before it counts as ended. Its requests end earlier. */
const LEASE_MS = 3 * MINUTE_MS
const MAX_SENDING_MS = 2 * MINUTE_MS

interface SendRequest {
  itemId: number
  file: ImageFile
  /** A safe name. */
  name: string
  /** How to go on after an unknown outcome. */
  again: Hint
}

/**
 * Attaches a file to an item and returns the address by which texts show it. A call stores that it sends the file before it does, so that of
 * two calls at once only one sends it, and that the next call looks for a file whose outcome is not known.
 */
export async function sendImageOnce(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  uploads: AttachmentWriter,
  request: SendRequest,
): Promise<string> {
  const claim = await claimUpload(ctx, tracker, uploads, request)
  if (claim.upload.url !== null) return claim.upload.url
  let { upload } = claim
  let isOver = false
  try {
    const bytes = await request.file.read()
    const earlier = claim.isRepeated ? await findSent(ctx, tracker, { upload, bytes, again: request.again }) : null
    if (claim.isRepeated && earlier === null) upload = await renewClaim(ctx, upload)
    const url = earlier ?? (await attach(ctx, uploads, { upload, bytes, request }))
    await ctx.db.write((tx) => saveItemUpload(tx, { ...upload, url }))
    isOver = true
    return url
  } catch (error) {
    // After an unknown outcome the tracker may still be attaching the file, so the claim stays: another call must not send it meanwhile.
    isOver = error instanceof NotAttachedError || error instanceof UnknownOutcomeError
    if (error instanceof UnknownOutcomeError)
      throw createUnknownError(upload, error.message, { request, now: ctx.clock.now() })
    throw error instanceof NotAttachedError ? error.reason : error
  } finally {
    if (!isOver) await endClaim(ctx, upload)
  }
}

/** The file is known not to be attached, and that it was sent is forgotten. */
class NotAttachedError extends Error {
  constructor(readonly reason: unknown) {
    super('not attached')
  }
}

/** The file may have been attached, or may still be. */
class UnknownOutcomeError extends Error {}

async function attach(
  ctx: TrackerWorkspaceContext,
  uploads: AttachmentWriter,
  { upload, bytes, request }: { upload: ItemUpload; bytes: Buffer; request: SendRequest },
): Promise<string> {
  const { item_id: itemId, name } = upload
  ctx.progress({ label: `sending ${name}` })
  const forget = async (reason: unknown) => {
    await ctx.db.write((tx) => removeItemUpload(tx, upload))
    return new NotAttachedError(reason)
  }
  const content = {
    size: bytes.length,
    async *open() {
      yield bytes
    },
  }
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(MAX_SENDING_MS)])
  const { mediaType } = request.file
  const outcome = await uploads.add({ itemId, name, mediaType, content }, signal).catch(async (error: unknown) => {
    throw error instanceof StudioError && !signal.aborted ? await forget(error) : error
  })
  if (outcome.status === 'unknown') throw new UnknownOutcomeError(outcome.message)
  if (outcome.status === 'rejected')
    throw await forget(createRejectionError(`The tracker rejected ${name}, and no text was sent.`, outcome))
  const { url } = outcome.attachment
  if (url !== null) return url
  throw await forget(
    new StudioError('tracker_answer', `${name} was attached, but the tracker gave no address to show it by.`),
  )
}

interface UploadClaim {
  upload: ItemUpload
  /** Whether an earlier call may have attached the file. */
  isRepeated: boolean
}

/** Throws `conflict` while another call may be sending the file. */
async function claimUpload(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  uploads: AttachmentWriter,
  { itemId, file, name }: SendRequest,
): Promise<UploadClaim> {
  const isByName = (await uploads.showsByName?.(ctx.signal)) ?? false
  const listed = isByName ? ((await tracker.parts.attachments?.list(itemId, ctx.signal)) ?? []) : []
  const now = ctx.clock.now()
  return ctx.db.write(async (tx) => {
    const all = await listItemUploads(tx, itemId)
    const known = all.find(({ sha256 }) => sha256 === file.sha256)
    if (known !== undefined && known.url !== null) return { upload: known, isRepeated: true }
    if (known !== undefined && Date.parse(known.claimed_until) > now) throw createBusyError(known, now)
    const taken = isByName ? [...listed, ...all].map((one) => one.name) : []
    const upload = {
      item_id: itemId,
      sha256: file.sha256,
      name: known?.name ?? chooseFreeName(name, taken),
      url: null,
      claimed_until: formatInstant(now + LEASE_MS),
    }
    await saveItemUpload(tx, upload)
    return { upload, isRepeated: known !== undefined }
  })
}

/** `shot-2.png` where another file is `shot.png`. Parentheses and spaces would have to be written in another way in a text. */
function chooseFreeName(name: string, taken: readonly string[]): string {
  const used = new Set(taken.map((one) => one.toLowerCase()))
  const dot = name.lastIndexOf('.')
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  let free = name
  for (let number = 2; used.has(free.toLowerCase()); number++) free = `${stem}-${number}${extension}`
  return free
}

/** Looking for the file may have taken longer than the claim lasts. Throws `conflict` if another call has taken it over. */
async function renewClaim(ctx: TrackerWorkspaceContext, claimed: ItemUpload): Promise<ItemUpload> {
  const now = ctx.clock.now()
  const renewed = { ...claimed, claimed_until: formatInstant(now + LEASE_MS) }
  await ctx.db.write(async (tx) => {
    const current = await findUpload(tx, claimed)
    if (current?.claimed_until !== claimed.claimed_until) throw createBusyError(current ?? claimed, now)
    await saveItemUpload(tx, renewed)
  })
  return renewed
}

/** Lets the next call begin at once. A claim that another call has taken over stays. */
async function endClaim(ctx: TrackerWorkspaceContext, claimed: ItemUpload): Promise<void> {
  await ctx.db.write(async (tx) => {
    const current = await findUpload(tx, claimed)
    if (current?.url === null && current.claimed_until === claimed.claimed_until)
      await saveItemUpload(tx, { ...claimed, claimed_until: formatInstant(0) })
  })
}

async function findUpload(tx: Parameters<typeof listItemUploads>[0], { item_id, sha256 }: ItemUpload) {
  return (await listItemUploads(tx, item_id)).find((one) => one.sha256 === sha256)
}

function createUnknownError(
  upload: ItemUpload,
  message: string,
  { request, now }: { request: SendRequest; now: number },
): StudioError {
  const seconds = countSeconds(upload, now)
  return new StudioError('tracker_timeout', `It is not known whether ${upload.name} was attached. ${message}`, {
    hint: hint`Wait ${seconds} s, because the tracker may still attach it. ${request.again}`,
    retryAfterSeconds: seconds,
  })
}

function countSeconds({ claimed_until }: ItemUpload, now: number): number {
  return Math.max(1, Math.ceil((Date.parse(claimed_until) - now) / 1000))
}

function createBusyError(upload: ItemUpload, now: number): StudioError {
  const seconds = countSeconds(upload, now)
  return new StudioError(
    'conflict',
    `Another call is attaching ${upload.name} to the work item, or ended without a response from the tracker.`,
    { hint: `Try again in ${seconds} s.`, retryAfterSeconds: seconds },
  )
}

/** Looks for a file that an earlier call may have attached: one with its name and its content. */
async function findSent(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  { upload, bytes, again }: { upload: ItemUpload; bytes: Buffer; again: Hint },
): Promise<string | null> {
  const reader = tracker.parts.attachments
  if (reader === undefined)
    throw new StudioError('conflict', `It is not known whether ${upload.name} is attached to the work item.`, {
      hint: again,
    })
  const listed = await reader.list(upload.item_id, ctx.signal)
  const alike = listed.filter(
    ({ name, size, url }) => name === upload.name && url !== null && (size ?? bytes.length) === bytes.length,
  )
  for (const attachment of alike) {
    const { chunks } = await reader.open(attachment, { from: 0, version: null }, ctx.signal)
    if (await isSame(chunks, bytes)) return attachment.url
  }
  return null
}

async function isSame(chunks: AsyncIterable<Uint8Array>, bytes: Buffer): Promise<boolean> {
  let at = 0
  for await (const chunk of chunks) {
    if (!bytes.subarray(at, at + chunk.length).equals(chunk)) return false
    at += chunk.length
  }
  return at === bytes.length
}

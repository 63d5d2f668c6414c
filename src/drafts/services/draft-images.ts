import { createRejectionError, requirePart, type TrackerLink, type TrackerWorkspaceContext } from '../../items'
import { hint, StudioError, suggest } from '../../kernel'
import { formatByteSize } from '../../kernel/files/byte-size'
import { toSafeFileName } from '../../kernel/files/file-name'
import { replaceRelativeImages } from '../../rich-text'
import type { AttachmentWriter, Tracker } from '../../tracker'
import {
  type DraftUpload,
  listDraftFiles,
  listDraftUploads,
  readDraftFileContent,
  removeDraftUpload,
  type StoredDraftFile,
  saveDraftUpload,
} from '../queries'
import type { DraftContent } from '../schemas'

/** The images of a draft that are stored with it, for one item. */
export class DraftImages {
  /** The images that the texts show and that are not in the item yet. */
  readonly pending: readonly StoredDraftFile[]
  readonly #ctx: TrackerWorkspaceContext
  readonly #files: ReadonlyMap<string, StoredDraftFile>
  /** By the hash of the content. */
  readonly #urls: Map<string, string>
  readonly #uploads: readonly DraftUpload[]

  private constructor(
    ctx: TrackerWorkspaceContext,
    content: DraftContent,
    { files, uploads }: { files: readonly StoredDraftFile[]; uploads: readonly DraftUpload[] },
  ) {
    this.#ctx = ctx
    this.#files = new Map(files.map((file) => [file.path, file]))
    this.#uploads = uploads
    this.#urls = new Map(uploads.flatMap(({ sha256, url }) => (url === null ? [] : [[sha256, url] as const])))
    const shown = new Map<string, StoredDraftFile>()
    replaceInTexts(content, (path) => {
      const file = this.#files.get(path)
      if (file && !this.#urls.has(file.sha256)) shown.set(file.sha256, file)
      return null
    })
    this.pending = [...shown.values()]
  }

  static async load(
    ctx: TrackerWorkspaceContext,
    { draftId, itemId, content }: { draftId: number; itemId: number | null; content: DraftContent },
  ): Promise<DraftImages> {
    const stored = await ctx.db.read(async (tx) => ({
      files: await listDraftFiles(tx, draftId),
      uploads: itemId === null ? [] : await listDraftUploads(tx, draftId, itemId),
    }))
    return new DraftImages(ctx, content, stored)
  }

  /** What is sent, for the plan and for people. */
  list(): { name: string; bytes: number; sha256: string }[] {
    return this.pending.map((file) => ({ name: nameOf(file), bytes: file.bytes, sha256: file.sha256 }))
  }

  /** Throws if the tracker does not take the images, before anything is sent. */
  requireAccepted(tracker: Tracker): void {
    if (this.pending.length === 0) return
    const { maxBytes } = requireUploads(tracker)
    const tooLarge = this.pending.filter(({ bytes }) => maxBytes !== null && bytes > maxBytes)
    if (tooLarge.length > 0)
      throw new StudioError('invalid', `The tracker takes no file of more than ${formatByteSize(maxBytes!)}.`, {
        details: tooLarge.map(({ path, bytes }) => ({ path: 'files', message: `${path}: ${formatByteSize(bytes)}` })),
      })
  }

  /** The texts with the name of each image that is not in the item yet, for an item that must exist before it can have files. */
  withNames(content: DraftContent): DraftContent {
    return replaceInTexts(content, (path) => {
      const file = this.#files.get(path)
      return file ? `*${escapeMarkdown(nameOf(file))}*` : null
    })
  }

  /** The texts with the address of each image. One that is not in the item yet has an address that `send` replaces. */
  withAddresses<Texts extends Partial<DraftContent>>(content: Texts): Texts {
    return replaceInTexts(content, (path, alt) => {
      const file = this.#files.get(path)
      return file ? `![${alt}](${encodeUrl(this.#urls.get(file.sha256) ?? standInFor(file))})` : null
    })
  }

  /** The text as a person has written it, with the paths of images that are not in the item yet. */
  show<Value>(value: Value): Value {
    let shown: unknown = value
    for (const file of this.pending) shown = replaceAll(shown, standInFor(file), `./${file.path}`)
    return shown as Value
  }

  /** Attaches the images that some values show, each once, and puts their addresses into the values. */
  async send<Value>(link: TrackerLink, itemId: number, value: Value): Promise<Value> {
    const text = JSON.stringify(value)
    let result: unknown = value
    for (const file of this.pending) {
      if (!text.includes(standInFor(file))) continue
      const url = encodeUrl(await this.#sendOnce(link, itemId, file))
      result = replaceAll(result, standInFor(file), url)
    }
    return result as Value
  }

  async #sendOnce({ tracker }: TrackerLink, itemId: number, file: StoredDraftFile): Promise<string> {
    const ctx = this.#ctx
    const known = this.#urls.get(file.sha256)
    if (known !== undefined) return known
    const upload = { draft_id: file.draft_id, item_id: itemId, sha256: file.sha256, name: nameOf(file), url: null }
    const wasSent = this.#uploads.some(({ sha256 }) => sha256 === file.sha256)
    const bytes = await ctx.db.read((tx) => readDraftFileContent(tx, file.id))
    const found = wasSent ? await findSent(ctx, tracker, { upload, bytes }) : null
    const url = found ?? (await this.#attach(requireUploads(tracker), upload, { file, bytes }))
    await ctx.db.write((tx) => saveDraftUpload(tx, { ...upload, url }))
    this.#urls.set(file.sha256, url)
    return url
  }

  async #attach(
    uploads: AttachmentWriter,
    upload: DraftUpload,
    { file, bytes }: { file: StoredDraftFile; bytes: Buffer },
  ): Promise<string> {
    const ctx = this.#ctx
    ctx.progress({ label: `sending ${upload.name}` })
    // If the call ends here, the next one looks for the file.
    await ctx.db.write((tx) => saveDraftUpload(tx, upload))
    const forget = () => ctx.db.write((tx) => removeDraftUpload(tx, upload))
    const content = {
      size: bytes.length,
      async *open() {
        yield bytes
      },
    }
    const { item_id: itemId, name } = upload
    const outcome = await uploads
      .add({ itemId, name, mediaType: file.media_type, content }, ctx.signal)
      .catch(async (error) => {
        if (error instanceof StudioError && !ctx.signal.aborted) await forget()
        throw error
      })
    if (outcome.status === 'unknown')
      throw new StudioError('tracker_timeout', `It is not known whether ${name} was attached. ${outcome.message}`, {
        hint: hint`To go on, which looks for the file first: ${suggest('items.publish-draft', { id: upload.draft_id })}`,
      })
    if (outcome.status === 'rejected') {
      await forget()
      throw createRejectionError(
        `The tracker rejected ${name}, and the text of the work item was not changed.`,
        outcome,
      )
    }
    const { url } = outcome.attachment
    if (url !== null) return url
    throw new StudioError('tracker_answer', `${name} was attached, but the tracker gave no address to show it by.`)
  }
}

function requireUploads(tracker: Tracker): AttachmentWriter {
  try {
    return requirePart(tracker, 'uploads')
  } catch (error) {
    if (!(error instanceof StudioError)) throw error
    throw error.copyWith({
      hint: 'The draft shows files of its own. Store them where others can see them and write their addresses, or remove them.',
    })
  }
}

/** Looks for a file that an earlier call may have attached: one with its name and its content. */
async function findSent(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  { upload, bytes }: { upload: DraftUpload; bytes: Buffer },
): Promise<string | null> {
  const reader = tracker.parts.attachments
  if (reader === undefined)
    throw new StudioError('conflict', `It is not known whether ${upload.name} is attached to the work item.`, {
      hint: hint`Look at the item in the tracker. If it is there, write its address into the draft: ${suggest('drafts.save', { id: upload.draft_id })}`,
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

function replaceInTexts<Texts extends Partial<DraftContent>>(
  content: Texts,
  replace: (path: string, alt: string) => string | null,
): Texts {
  const changed = { ...content }
  for (const field of ['description', 'acceptanceCriteria'] as const) {
    const text = content[field]
    if (typeof text === 'string') changed[field] = replaceRelativeImages(text, replace)
  }
  return changed
}

/** No server has this name, and no text contains it by chance. */
function standInFor({ sha256 }: StoredDraftFile): string {
  return `https://attachment.invalid/${sha256}`
}

function nameOf({ path }: StoredDraftFile): string {
  return toSafeFileName(path)
}

/** An address that ends nowhere else than it does in Markdown, and that is the same in HTML. */
function encodeUrl(url: string): string {
  return url.replace(/[()<>\s"'\\]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>#~|!&]/g, '\\$&')
}

/** The value with another text in place of one, in all its texts. In HTML, an ampersand is written as an entity. */
function replaceAll(value: unknown, from: string, to: string, isHtml = false): unknown {
  if (typeof value === 'string') return value.replaceAll(from, () => (isHtml ? to.replaceAll('&', '&amp;') : to))
  if (Array.isArray(value)) return value.map((entry) => replaceAll(entry, from, to))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, replaceAll(entry, from, to, key === 'html')]),
  )
}

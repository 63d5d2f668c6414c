import { loadOperation } from '../catalog'
import { type AnsweredFile, fileResponse } from '../http/answers/file-response'
import type { AppContext } from '../http/app-env'
import type { AnyOperation } from '../kernel'

interface FileRequest {
  c: AppContext
  run(op: AnyOperation, input: unknown): Promise<unknown>
}

/** The file of the address. The API has the same file for programs: a browser has a cookie, and the API takes none. */
export async function sendAttachment({ c, run }: FileRequest): Promise<Response> {
  const id = c.req.param('id')!
  return fileResponse(c, (await run(await loadOperation('attachments.get'), { id })) as AnsweredFile)
}

/** The same for a file of a work item. It has the type that its first bytes say, so that a browser shows nothing else as an image. */
export async function sendItemAttachment({ c, run }: FileRequest): Promise<Response> {
  const { id, attachment } = c.req.param() as Record<string, string>
  const input = { id: Number(id), attachment }
  return fileResponse(c, (await run(await loadOperation('items.attachment'), input)) as AnsweredFile)
}

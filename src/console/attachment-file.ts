import { loadOperation } from '../catalog'
import { type AnsweredFile, fileResponse } from '../http/answers/file-response'
import type { AppContext } from '../http/app-env'
import type { AnyOperation } from '../kernel'

/** The file of the address. The API has the same file for programs: a browser has a cookie, and the API takes none. */
export async function sendAttachment({
  c,
  run,
}: {
  c: AppContext
  run(op: AnyOperation, input: unknown): Promise<unknown>
}): Promise<Response> {
  const id = c.req.param('id')!
  return fileResponse(c, (await run(await loadOperation('attachments.get'), { id })) as AnsweredFile)
}

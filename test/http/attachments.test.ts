import { expect, it } from 'vitest'
import { openFacility, servedConsole } from '../console/console-fixtures'
import { files, MAX_BYTES, toBase64 } from '../docks/attachments/attachment-files'
import { load } from '../docks/dock-fixtures'

async function open() {
  const service = await servedConsole()
  const { date } = await openFacility(service)
  const { data } = await service.run('appointments.book', load({ targetDate: date, carrierName: 'Acme' }))
  const key = await service.key('clerk')
  const path = `/api/appointments/${data.id}/attachments`
  const headers = { 'x-api-key': key }
  const attach = (body: object) => service.call('POST', path, { body, headers })
  const download = (id: string, more: Record<string, string> = {}) =>
    fetch(`${service.url}/api/attachments/${id}`, { headers: { ...headers, ...more } })
  return { ...service, id: data.id, path, key, headers, attach, download }
}

it('an attachment is sent as JSON, and answered as the file, which no browser shows as a page', async () => {
  const { attach, download } = await open()
  const bytes = Buffer.concat([files.pdf, Buffer.from('<script>alert(1)</script>')])
  const { status, body } = await attach({ name: 'Größe "1".html', content: toBase64(bytes) })
  expect(status).toBe(200)
  const response = await download(body.data.id)
  expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-length': String(bytes.length),
    'content-disposition': `attachment; filename="Gr__e 1.html.pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%201.html.pdf`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, no-cache',
  })
})

it('an attachment is not sent again to a caller who has it', async () => {
  const { attach, download } = await open()
  const { body } = await attach({ content: toBase64(files.png) })
  const etag = (await download(body.data.id)).headers.get('etag')!
  expect(etag).toBe(`"${body.data.sha256}"`)
  const again = await download(body.data.id, { 'if-none-match': etag })
  expect([again.status, await again.text()]).toEqual([304, ''])
})

it('the largest attachment fits into its call, and no larger body', async () => {
  const { attach, download } = await open()
  const largest = Buffer.concat([files.pdf, Buffer.alloc(MAX_BYTES - files.pdf.length)])
  const { status, body } = await attach({ content: toBase64(largest), note: 'x'.repeat(500), name: 'n'.repeat(255) })
  expect([status, body.data?.bytes]).toEqual([200, MAX_BYTES])
  expect((await (await download(body.data.id)).arrayBuffer()).byteLength).toBe(MAX_BYTES)
  expect(await attach({ content: 'A'.repeat(8 * 1024 * 1024) })).toMatchObject({
    status: 413,
    body: {
      code: 'payload_too_large',
      message: 'The body is larger than 6 MiB.',
      hint: 'Send only what the call takes.',
    },
  })
})

it('the largest attachment may come in small chunks, as from a slow network', async () => {
  const { path, headers, url } = await open()
  const content = toBase64(Buffer.concat([files.pdf, Buffer.alloc(MAX_BYTES - files.pdf.length)]))
  const body = Buffer.from(JSON.stringify({ content }))
  let at = 0
  const chunks = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= body.length) return controller.close()
      controller.enqueue(body.subarray(at, at + 1_000))
      at += 1_000
    },
  })
  const sent = await fetch(url + path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: chunks,
    duplex: 'half',
  } as RequestInit)
  expect([sent.status, ((await sent.json()) as any).data?.bytes]).toEqual([200, MAX_BYTES])
})

it('other calls take no more than before', async () => {
  const { call, path, headers } = await open()
  const body = { note: 'x'.repeat(1_100_000) }
  const answers = await Promise.all([
    call('POST', '/api/appointments', { body, headers }),
    call('DELETE', path.replace('/attachments', ''), { body, headers }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([413, 413])
})

it('the same attachment with an Idempotency-Key is attached once', async () => {
  const { call, path, headers } = await open()
  const more = { body: { content: toBase64(files.heic) }, headers: { ...headers, 'idempotency-key': 'a' } }
  const answers = [await call('POST', path, more), await call('POST', path, more)]
  expect(answers[1]!.body).toEqual(answers[0]!.body)
  expect((await call('GET', path, { headers })).body).toEqual([answers[0]!.body.data])
})

it('the audit says who attached and removed which file', async () => {
  const { attach, call, headers, run, id } = await open()
  const { body } = await attach({ content: toBase64(files.webp) })
  await call('DELETE', `/api/attachments/${body.data.id}`, { headers })
  const entries = await run('audit.list', {})
  const found = entries.filter(({ operation }: any) => operation.startsWith('attachments.'))
  expect(found.map(({ operation, targets }: any) => [operation, targets]).sort()).toEqual([
    ['attachments.add', [`appointment:${id}`, `attachment:${body.data.id}`]],
    ['attachments.remove', [`attachment:${body.data.id}`]],
  ])
})

it('the description of the API says which media types a download has', async () => {
  const { call } = await open()
  const { paths } = (await call('GET', '/openapi.json')).body
  expect(Object.keys(paths['/api/attachments/{id}'].get.responses['200'].content).sort()).toEqual([
    'application/pdf',
    'image/heic',
    'image/jpeg',
    'image/png',
    'image/webp',
  ])
})

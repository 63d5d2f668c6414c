import { describe, expect, it } from 'vitest'
import { findBodyFiles, findSignedAddress } from '../../../../src/tracker/github/parts/body-files'
import type { ContentStream } from '../../../../src/tracker/tracker'
import { errorOf, never } from '../../azure-devops/fixtures'
import type { Reply, StubRequest } from '../../azure-devops/stub-server'
import { openGitHub } from '../fixtures'

const WEB = 'https://github.com'
const UUID = '0a1b2c3d-0000-4000-8000-00000000000a'
const SIGNED = `https://private-user-images.githubusercontent.com/1/2-${UUID}.png?jwt=abc`

describe('the files that a text shows', () => {
  it.each([
    [`![shot of a gate](${WEB}/user-attachments/assets/${UUID})`, 'shot of a gate'],
    [`<img width="9" alt="The lamp" src="${WEB}/user-attachments/assets/${UUID}" />`, 'The lamp'],
    [`![image](${WEB}/user-attachments/assets/${UUID})`, UUID],
    [`${WEB}/user-attachments/assets/${UUID}`, UUID],
    [`[report](${WEB}/user-attachments/files/123/report%202.pdf)`, 'report 2.pdf'],
    [`![x](https://user-images.githubusercontent.com/1/2-old.png)`, '2-old.png'],
    [`![old](${WEB}/works/harbor/assets/12/${UUID})`, 'old'],
    [`[log](${WEB}/works/harbor/files/12/log.txt)`, 'log.txt'],
    [`[log](${WEB}/user-attachments/files/1/..%2F..%2Fetc%2Fpasswd)`, '../../etc/passwd'],
  ])('are found with their names: %s', (text, name) =>
    expect(findBodyFiles(`Before ${text} after ${text}`, WEB)).toMatchObject([{ name }]),
  )

  it.each([
    `${WEB}/works/harbor/issues/1`,
    `https://evil.example/user-attachments/assets/${UUID}`,
    `http://github.com/user-attachments/assets/${UUID}`,
    `https://github.com.evil.example/user-attachments/assets/${UUID}`,
    `https://user-images.githubusercontent.com.evil.example/1/2.png`,
    'https://[',
  ])('are none of other places: %s', (text) => expect(findBodyFiles(text, WEB)).toEqual([]))

  it.each([
    [`<img src="${SIGNED.replace('?', '?a=b&amp;')}">`, SIGNED.replace('?', '?a=b&')],
    [`<a href="https://evil.example/${UUID}?jwt=abc"><img src="${SIGNED}"></a>`, SIGNED],
    [`<img src="http://private-user-images.githubusercontent.com/${UUID}?jwt=abc">`, null],
    [`<img src="https://evil.example/${UUID}?jwt=abc">`, null],
    [`<img src="https://private-user-images.githubusercontent.com.evil.example/${UUID}?jwt=abc">`, null],
    [`<img src="${WEB}/user-attachments/assets/${UUID}">`, null],
  ])('have a signed address of GitHub alone: %s', (html, address) =>
    expect(findSignedAddress(html, UUID, WEB)?.href ?? null).toBe(address),
  )
})

async function readAll({ chunks }: ContentStream): Promise<string> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all).toString()
}

/** A file that continues at a byte. */
function serve(text: string, { headers }: StubRequest): Reply {
  const [, start] = /^bytes=(\d+)-$/.exec(headers.range ?? '') ?? []
  if (start === undefined || headers['if-range'] !== '"v1"')
    return { headers: { etag: '"v1"', 'content-type': 'image/png' }, text }
  const range = `bytes ${start}-${text.length - 1}/${text.length}`
  return { status: 206, headers: { etag: '"v1"', 'content-range': range }, text: text.slice(Number(start)) }
}

describe('the attachments of an issue', () => {
  async function open() {
    const opened = await openGitHub(
      { issues: [{ number: 1, createdAt: '2026-11-01T08:00:00Z' }, { number: 2 }] },
      {
        async answer(request) {
          if (request.path.startsWith('/signed/')) return serve('0123456789', request)
          if (request.path.startsWith('/user-attachments/files/')) return serve('a report', request)
          return null
        },
      },
    )
    const origin = new URL(opened.url).origin
    const image = `${origin}/user-attachments/assets/${UUID}`
    const file = `${origin}/user-attachments/files/7/report.pdf`
    const gone = `${origin}/user-attachments/assets/${UUID.replace('a', 'b')}`
    const issue = opened.github.issues.get(1)!
    issue.body = `![gate](${image}) and ![gate again](${image})`
    issue.comments.push(
      ...Array.from({ length: 60 }, (_, i) => ({
        id: i + 1,
        author: 'ines',
        body: 'No file',
        createdAt: issue.createdAt,
      })),
      {
        id: 99,
        author: 'robin',
        body: `[report.pdf](${file}) ![gate](${image}) ![](${gone})`,
        bodyHTML: `<img src="${origin}/signed/${UUID}.png?jwt=abc&amp;x=1">`,
        createdAt: '2026-11-02T08:00:00Z',
      },
    )
    return { ...opened, image, file, gone, attachments: opened.tracker.parts.attachments! }
  }

  it('are those of its text and its comments, the oldest first', async () => {
    const { attachments, image, file, gone, tracker } = await open()
    const by = (uniqueName: string) => expect.objectContaining({ uniqueName })
    expect(await attachments.list(1, never)).toEqual([
      {
        id: `1 ${image}`,
        name: 'gate',
        size: null,
        mediaType: null,
        author: by('ines'),
        createdAt: '2026-11-01T08:00:00.000Z',
        url: image,
      },
      {
        id: `1 ${file}`,
        name: 'report.pdf',
        size: null,
        mediaType: null,
        author: by('robin'),
        createdAt: '2026-11-02T08:00:00.000Z',
        url: file,
      },
      expect.objectContaining({ url: gone }),
    ])
    expect((await tracker.getItem(1, never)).attachments).toEqual([{ name: 'gate', size: null }])
    expect(await attachments.list(2, never)).toEqual([])
    expect(await errorOf(attachments.list(9, never))).toMatchObject({ code: 'not_found' })
  })

  it('are read by their signed addresses, without the token, and continue where they were cut', async () => {
    const { attachments, requests, file, gone } = await open()
    const [image, report, missing] = await attachments.list(1, never)
    const stream = await attachments.open(image!, { from: 0, version: null }, never)
    expect(stream).toMatchObject({ from: 0, size: 10, version: '"v1"', mediaType: 'image/png' })
    expect(await readAll(stream)).toBe('0123456789')
    expect(await readAll(await attachments.open(image!, { from: 6, version: '"v1"' }, never))).toBe('6789')
    const signed = requests.filter(({ path }) => path.startsWith('/signed/'))
    expect(signed.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined])
    expect(signed[0]!.query.get('jwt')).toBe('abc')
    expect(report!.url).toBe(file)
    expect(await readAll(await attachments.open(report!, { from: 0, version: null }, never))).toBe('a report')
    expect(missing!.url).toBe(gone)
    expect(await errorOf(attachments.open(missing!, { from: 0, version: null }, never))).toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('browser'),
    })
  })

  it.each(['1 https://evil.example/x', '1 http://127.0.0.1:1/secret', '1', ''])(
    'are opened at no other address: %s',
    async (id) => {
      const { attachments, requests } = await open()
      const other = { id, name: 'x', size: null, mediaType: null, author: null, createdAt: null, url: null }
      expect(await errorOf(attachments.open(other, { from: 0, version: null }, never))).toMatchObject({
        code: 'not_found',
      })
      expect(requests).toHaveLength(0)
    },
  )
})

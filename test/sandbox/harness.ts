import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { RunningSandbox } from '../../src/sandbox'
import { startTestSandbox, type TestSandbox } from './test-sandbox'

/** Wednesday noon, in Sprint 24 of the sample backlog. */
export const NOW = Date.parse('2026-11-18T12:00:00.000Z')

export interface Reply {
  status: number
  headers: Headers
  text: string
  /** The parsed body; undefined if it is not JSON. */
  json: any
}

export interface Client extends TestSandbox {
  get(path: string, headers?: Record<string, string>): Promise<Reply>
  post(path: string, body: unknown): Promise<Reply>
  /** A JSON patch. */
  patch(path: string, steps: unknown): Promise<Reply>
  send(method: string, path: string, init?: RequestInit): Promise<Reply>
}

/** Starts a sandbox that is closed at the end of the test. Paths are below the organization. */
export async function sandbox(options: Parameters<typeof startTestSandbox>[0] = {}): Promise<Client> {
  const running = await startTestSandbox({ clock: () => NOW, ...options })
  onTestFinished(() => running.close())
  const send = async (method: string, path: string, init: RequestInit = {}): Promise<Reply> => {
    const response = await fetch(running.url + versioned(path), { method, redirect: 'manual', ...init })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
  }
  const sendJson = (method: string, type: string) => (path: string, body: unknown) =>
    send(method, path, { headers: { 'content-type': type }, body: JSON.stringify(body) })
  return {
    ...running,
    send,
    get: (path, headers = {}) => send('GET', path, { headers }),
    post: sendJson('POST', 'application/json'),
    patch: sendJson('PATCH', 'application/json-patch+json'),
  }
}

function versioned(path: string): string {
  return path.includes('api-version') ? path : `${path}${path.includes('?') ? '&' : '?'}api-version=7.1`
}

/** A path for a state file in a missing folder, which is removed at the end of the test. */
export function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'new', 'tracker.json')
}

export function setField(name: string, value: unknown, op = 'add') {
  return { op, path: `/fields/${name}`, value }
}

export function testRev(rev: number) {
  return { op: 'test', path: '/rev', value: rev }
}

export function linkTo(client: RunningSandbox, rel: string, id: number) {
  return { op: 'add', path: '/relations/-', value: { rel, url: `${client.url}/_apis/wit/workItems/${id}` } }
}

export function rels(item: any): [rel: string, id: number][] {
  return (item.relations ?? []).map((one: any) => [
    one.rel.replace('System.LinkTypes.', ''),
    Number(one.url.split('/').at(-1)),
  ])
}

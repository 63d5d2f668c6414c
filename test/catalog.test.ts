import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { catalog, loadAllOperations } from '../src/catalog'
import { MAX_CONTENT_LENGTH } from '../src/docks/attachments/rules/limits'
import { bookingFlags } from '../src/docks/booking/services/booking-flags'
import { MAX_SENT_LENGTH } from '../src/items/services/attachments/attachment-schemas'
import { fieldsOf, MAX_BODY_BYTES } from '../src/kernel'
import { type JsonSchema, jsonSchemaOf } from '../src/kernel/input/json-schema'

const operations = await loadAllOperations()

/** The maximum length of each text in a schema, by its path. */
function listTextLimits(schema: JsonSchema, path: string): [path: string, limit: number][] {
  const own: [string, number][] = typeof schema.maxLength === 'number' ? [[path, schema.maxLength]] : []
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, of]) => listTextLimits(of, `${path}.${name}`))
  const options = [schema.items, ...(schema.anyOf ?? [])].flatMap((of) => (of ? listTextLimits(of, path) : []))
  return [...own, ...inner, ...options]
}

describe('the catalog', () => {
  it('lists each operation under its own ID', () => {
    expect(operations.map((op) => op.id)).toEqual(Object.keys(catalog))
  })

  it('limits a long text by the body alone, and every other text by a short maximum', () => {
    const longer = operations.flatMap((op) =>
      listTextLimits(jsonSchemaOf(op.input, 'input'), op.id).filter(([, limit]) => limit > 10_000),
    )
    expect(new Map(longer)).toEqual(
      new Map([
        ['drafts.save.description', MAX_BODY_BYTES],
        ['drafts.save.acceptanceCriteria', MAX_BODY_BYTES],
        ['items.comment.text', MAX_BODY_BYTES],
        ['items.publish-tree.files.text', MAX_BODY_BYTES],
        ['items.edit-comment.text', MAX_BODY_BYTES],
        // The longest query that a tracker takes.
        ['queries.run.text', 32_000],
        ['queries.import.text', 32_000],
        // What fits a language model, and the largest file.
        ['llm.chat.prompt', 400_000],
        ['yard.import.text', 1_000_000],
        ['llm.chat.systemPrompt', 40_000],
        ['chat.stream.messages.content', 400_000],
        ['appointments.import.text', 64 * 1024 * 1024],
        ['items.import-file.text', 64 * 1024 * 1024],
        // As Base64.
        ['attachments.add.content', MAX_CONTENT_LENGTH],
        ['items.attach.content', MAX_SENT_LENGTH],
        ['drafts.save.files.content', MAX_SENT_LENGTH],
        ['items.batch-update.files.content', MAX_SENT_LENGTH],
        ['items.comment.files.content', MAX_SENT_LENGTH],
        ['items.create.files.content', MAX_SENT_LENGTH],
        ['items.publish-tree.files.images.content', MAX_SENT_LENGTH],
      ]),
    )
  })

  it('gives each operation a unique route', () => {
    const routes = operations.flatMap((op) => (op.http ? [`${op.http.method} ${op.http.path}`] : []))
    expect(new Set(routes).size).toBe(routes.length)
  })

  it('shares only flags of a booking that some operation has', () => {
    const names = new Set(operations.flatMap(({ input }) => Object.keys(input.shape)))
    expect(Object.keys(bookingFlags).filter((field) => !names.has(field))).toEqual([])
  })

  it.each(operations.map((op) => [op.id, op] as const))('%s binds only fields that it has', (_id, op) => {
    const names = new Set(fieldsOf(op.input).map((field) => field.name))
    for (const [, inPath] of op.http?.path.matchAll(/\{(\w+)\}/g) ?? []) expect(names).toContain(inPath)
    for (const field of Object.values(op.http?.query ?? {})) expect(names).toContain(field)
    for (const arg of op.cli?.args ?? []) expect(names).toContain(arg.replace('...', ''))
    for (const field of Object.keys(op.cli?.flags ?? {})) if (!(field in bookingFlags)) expect(names).toContain(field)
  })

  it.each(operations.map((op) => [op.id, op] as const))(
    '%s has a description, also for each of its fields',
    (_id, op) => {
      expect(op.summary).toMatch(/^[A-Z].*[^.]$/)
      for (const field of fieldsOf(op.input)) {
        const shown = op.cli?.flags?.[field.name] !== false
        if (op.cli && shown)
          expect(`${field.name}: ${field.about || (op.cli.flags?.[field.name] as any)?.about || ''}`).not.toMatch(/: $/)
      }
    },
  )

  it('does not expose the management of tenants, facilities and files over HTTP; managing tokens and people and reading the audit require a permitted token', () => {
    const managing = operations.filter((op) => op.access === 'admin' && op.http).map((op) => op.id)
    expect(managing).toEqual([
      'tracker.hooks',
      'tokens.create',
      'tokens.list',
      'tokens.revoke',
      'people.add',
      'people.list',
      'people.update',
      'people.remove',
      'audit.list',
      'audit.export',
    ])
  })

  it('declares the order of every list that is available over HTTP, for pagination', () => {
    const lists = operations.filter((op) => op.http?.method === 'get' && op.output instanceof z.ZodArray)
    expect(lists.length).toBeGreaterThan(5)
    for (const op of lists) expect(op.listOrder, op.id).toBeTypeOf('function')
  })

  it('limits the number of entries of every list that a caller sends', () => {
    const isUnlimited = (part: JsonSchema) => part.type === 'array' && part['maxItems'] === undefined
    expect(operations.flatMap((op) => listParts(jsonSchemaOf(op.input, 'input'), op.id, isUnlimited))).toEqual([])
  })

  it('limits every quantity, so that the sum of all is exact', () => {
    const isUnlimited = ({ type = '', maximum = Number.MAX_SAFE_INTEGER }: JsonSchema) =>
      [type].flat().some((each) => each === 'integer' || each === 'number') && maximum === Number.MAX_SAFE_INTEGER
    const noQuantities = /(ids?|from|to|moveTo|since|position|designated|ifSequence)(\.entry|\.option 1)*$/i
    // A facility limits the length of its appointments, and reports ignore very large estimates.
    const limitedElsewhere = /(minutes|storyPoints)$/i
    const paths = operations.flatMap((op) => listParts(jsonSchemaOf(op.input, 'input'), op.id, isUnlimited))
    expect(paths.filter((path) => !noQuantities.test(path) && !limitedElsewhere.test(path))).toEqual([])
  })

  it('uses GET only for operations that change nothing but snapshots', () => {
    for (const op of operations) if (op.http?.method === 'get') expect(op.effect).not.toBe('write')
  })

  it('has the fields that are named in suggested calls', () => {
    const suggested = sourceFiles('src').flatMap(suggestedCalls)
    expect(suggested.length).toBeGreaterThan(40)
    for (const { id, fields, place } of suggested) {
      const op = operations.find((candidate) => candidate.id === id)
      expect(op?.cli, `${place}: ${id} is a command`).toBeDefined()
      for (const field of fields) expect(Object.keys(op!.input.shape), place).toContain(field)
    }
  })
})

function sourceFiles(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.ts')).map((name) => join(folder, name))
}

/** The calls of `suggest` in a source file, with the input fields that they name. */
function suggestedCalls(file: string): { id: string; fields: string[]; place: string }[] {
  const text = readFileSync(file, 'utf8')
  if (!/\bsuggest(Command)?\(/.test(text)) return []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: { id: string; fields: string[]; place: string }[] = []
  const visit = (node: ts.Node) => {
    if (ts.isCallExpression(node) && /^suggest(Command)?$/.test(node.expression.getText())) {
      const [id, input] = node.arguments
      const properties = input && ts.isObjectLiteralExpression(input) ? [...input.properties] : []
      const fields = properties.flatMap((property) => (property.name ? [property.name.getText()] : []))
      if (id && ts.isStringLiteral(id))
        found.push({ id: id.text, fields, place: `${file}:${source.getLineAndCharacterOfPosition(node.pos).line + 1}` })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** The parts of a schema for which `is` holds, by path. */
function listParts(schema: JsonSchema, path: string, is: (part: JsonSchema) => boolean): string[] {
  const parts: [string, JsonSchema][] = [
    ...Object.entries(schema.properties ?? {}),
    ...Object.entries(schema.$defs ?? {}),
    ...(schema.anyOf ?? []).map((each, i): [string, JsonSchema] => [`option ${i + 1}`, each]),
    ...(schema.items ? [['entry', schema.items] as [string, JsonSchema]] : []),
  ]
  return [...(is(schema) ? [path] : []), ...parts.flatMap(([name, part]) => listParts(part, `${path}.${name}`, is))]
}

import { Ajv2020 } from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { loadAllOperations } from '../../src/catalog'
import { exampleInput } from '../../src/http/discovery/example-input'
import { type AnyOperation, isDockAccess } from '../../src/kernel'
import { deriveActions, toolsOf } from '../../src/mcp'
import { detailFields } from '../../src/mcp/topics'

const operations = await loadAllOperations()
const actions = deriveActions(operations)
const tools = toolsOf(actions)
const withActions = tools.filter(({ name }) => name !== 'describe_actions')
const ajv = addFormats.default(new Ajv2020({ strictTypes: false }))

const setUp =
  /^(facilities|doors|carriers|webhooks|mail-templates|staff|tenants)\.|^yard\.(import|add-spots|remove-spot)$/
const isDockWork = ({ id, access, effect }: AnyOperation) =>
  isDockAccess(access) &&
  (effect === 'read'
    ? !/^(webhooks|mail-templates|staff|tenants|carriers)\.|-(check|gate-links)$/.test(id)
    : !setUp.test(id))

describe('the tools for agents', () => {
  it('offer each operation of the HTTP API once, except administration, the service itself and streams', () => {
    const expected = operations.filter(
      (op) =>
        op.http && (op.access === 'workspace' || isDockWork(op)) && !op.stream?.byDefault && !/^system\./.test(op.id),
    )
    const offered = tools.flatMap((tool) => (tool.inputSchema.properties as any).action?.enum ?? [])
    expect([...offered].sort()).toEqual(expected.map((op) => op.id).sort())
  })

  it('are few, and have names that every client accepts', () => {
    expect(tools.length).toBeLessThanOrEqual(20)
    for (const { name } of tools) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
  })

  it.each(withActions.map((tool) => [tool.name, tool] as const))('%s declares its effect correctly', (name, tool) => {
    const own = operations.filter((op) => (tool.inputSchema.properties as any).action?.enum.includes(op.id))
    const effects = new Set(own.map((op) => op.effect))
    expect(effects.size, `${name} mixes ${[...effects]}`).toBe(1)
    const [effect] = effects
    expect(tool.annotations).toMatchObject({
      readOnlyHint: effect === 'read',
      destructiveHint: effect === 'write',
      openWorldHint: own.some((op) => op.errors.some((code) => /^(tracker|llm)_/.test(code))),
    })
    expect(tool.title).not.toBe('')
    for (const op of own) expect(tool.description).toMatch(new RegExp(`^- ${op.id.replace('.', '\\.')}\\*?\\(`, 'm'))
  })

  it.each(tools.map((tool) => [tool.name, tool] as const))(
    '%s has a schema that a validator accepts',
    (_name, tool) => {
      expect(tool.inputSchema.type).toBe('object')
      ajv.compile(tool.inputSchema)
    },
  )

  it('do not mention the command line or HTTP, which an agent may not have', () => {
    const words = /\bstudio [a-z"]|--[a-z]|\bterminal\b|\bflags?\b|\bstandard input\b|STUDIO_|\b(?:GET|POST) \//i
    for (const { name, description, inputSchema } of tools) {
      expect(description, name).not.toMatch(words)
      for (const [field, schema] of Object.entries<any>(inputSchema.properties!))
        expect(schema.description ?? '', `${name} ${field}`).not.toMatch(words)
    }
  })

  it('require what every one of their actions requires, and say of each action what it requires', () => {
    const schemaOf = (name: string) => tools.find((tool) => tool.name === name)!
    expect(schemaOf('update_work_items').inputSchema.required).toEqual(['action'])
    expect(schemaOf('search_workspace').inputSchema.required).toEqual([])
    expect(schemaOf('edit_drafts').inputSchema.required).toEqual(['action'])
    for (const { id, input, tool } of actions) {
      const { inputSchema, description } = schemaOf(tool.name)
      const own = [...(input.required ?? []), 'action']
      for (const field of inputSchema.required ?? []) expect(own, `${id} ${field}`).toContain(field)
      const line = description!.split('\n').find((each) => each.replace('*(', '(').startsWith(`- ${id}(`))!
      const named = /\((.*?)\):/
        .exec(line)![1]!
        .split(', ')
        .filter((field) => field !== '' && field !== '…' && !field.endsWith('?'))
      expect(named.sort(), id).toEqual([...(input.required ?? [])].sort())
    }
  })

  it("fit into a model's context, all of them together", () => {
    expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThanOrEqual(40_000)
  })

  it('leave out the long texts of every list whose entries an action returns one by one', () => {
    const long = ['acceptanceCriteria', 'template']
    for (const { id, output } of actions) {
      const lists = output.items ? [output] : Object.values(output.properties ?? {})
      const entries = lists.flatMap(({ items }) => Object.keys(items?.properties ?? {}))
      if (entries.some((field) => long.includes(field))) expect(Object.keys(detailFields), id).toContain(id)
    }
  })

  it.each(actions.map((action) => [action.id, action] as const))('takes the example of %s', (id, action) => {
    const tool = tools.find(({ name }) => name === action.tool.name)!
    const example = exampleInput(operations.find((op) => op.id === id)!)
    const validate = ajv.compile(tool.inputSchema)
    expect(example).not.toBeNull()
    expect(validate({ action: id, ...example }), JSON.stringify(validate.errors)).toBe(true)
  })
})

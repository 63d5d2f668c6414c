import type { z } from 'zod'
import type { ProcessPart, TrackerProcess } from '../tracker'
import { projectPath } from './address'
import { categoriesOf, levelsOf, pointsFieldOf } from './backlog'
import { type ClassificationNode, readNodes } from './classification'
import type { Client } from './client'
import { isLastingRefusal, isRefusal, TrackerFault } from './fault'
import { instantValue } from './field-values'
import { inParallel } from './in-parallel'
import type { ItemReading } from './item'
import { type Keeping, Once } from './once'
import { processOf } from './process'
import type { ProjectName } from './project-name'
import {
  WireAllowedValues,
  WireBacklog,
  WireCategories,
  WireFields,
  WireStates,
  type WireType,
  WireTypes,
} from './wire'

/** What reading items needs of the process. Items can be read without it. */
export type ProcessForItems = Pick<ItemReading, 'pointsField' | 'levelOf' | 'categoryOf'>

/** What the tracker says about the process of the project, each part asked for when it is first needed and then kept for a while. */
export class Metadata {
  readonly #client: Client
  readonly #project: ProjectName
  readonly #keeping: Keeping
  readonly #types: Kept<WireType[]>
  readonly #backlog: Kept<WireBacklog>
  readonly #fields: Kept<WireFields>
  readonly #areas: Kept<ClassificationNode[]>
  readonly #iterations: Kept<ClassificationNode[]>
  readonly #categories: Kept<WireCategories>
  readonly #states = new Map<string, Kept<WireStates>>()
  readonly #allowed = new Map<string, Kept<WireAllowedValues>>()

  constructor(client: Client, project: ProjectName, now: () => number) {
    this.#client = client
    this.#project = project
    this.#keeping = { ms: client.limits.processMs, now }
    this.#types = this.#kept((signal) => this.#readTypes(signal))
    this.#backlog = this.#kept((signal) => this.#read('work/backlogconfiguration', WireBacklog, signal))
    this.#fields = this.#kept((signal) => this.#read('wit/fields', WireFields, signal))
    this.#areas = this.#kept((signal) => this.#readNodes('areas', signal))
    this.#iterations = this.#kept((signal) => this.#readNodes('iterations', signal))
    this.#categories = this.#kept((signal) => this.#read('wit/workitemtypecategories', WireCategories, signal))
  }

  /** Two requests, and on older servers one more for each of the named types that items are of. */
  async forItems(typeNames: readonly string[], signal: AbortSignal): Promise<ProcessForItems> {
    const [types, backlog] = await Promise.all([orNull(this.#types.get(signal)), orNull(this.#backlog.get(signal))])
    const met = (types ?? []).filter((type) => typeNames.includes(type.name))
    const levels = levelsOf(backlog)
    return {
      pointsField: pointsFieldOf(backlog),
      levelOf: (type) => levels.get(type) ?? null,
      categoryOf: categoriesOf(await this.#withStates(met, signal), backlog),
    }
  }

  /** Only the types are needed; what else the tracker refuses is left empty. */
  async process(parts: readonly ProcessPart[], signal: AbortSignal): Promise<TrackerProcess> {
    const asked = <Value>(part: ProcessPart, once: Kept<Value>) =>
      parts.includes(part) ? orNull(once.get(signal)) : null
    const [types, backlog, fields, areas, iterations, categories] = await Promise.all([
      this.#types.get(signal),
      orNull(this.#backlog.get(signal)),
      orNull(this.#fields.get(signal)),
      asked('areas', this.#areas),
      asked('iterations', this.#iterations),
      asked('categories', this.#categories),
    ])
    if (types instanceof TrackerFault) throw types
    return processOf({
      types: await this.#withStates(types, signal),
      backlog,
      fields: fields?.value ?? null,
      categories,
      areaPaths: (areas ?? []).map((node) => node.path),
      iterations: (iterations ?? []).map(iterationOf),
    })
  }

  /** Null where the tracker does not show them. */
  async iterations(signal: AbortSignal): Promise<TrackerProcess['iterations'] | null> {
    return (await orNull(this.#iterations.get(signal)))?.map(iterationOf) ?? null
  }

  /** Null where the tracker names none. */
  async allowedValues(typeName: string, referenceName: string, signal: AbortSignal): Promise<string[] | null> {
    const path = `wit/workitemtypes/${encodeURIComponent(typeName)}/fields/${encodeURIComponent(referenceName)}`
    const allowed = this.#allowed.get(path) ?? this.#kept((signal) => this.#read(path, WireAllowedValues, signal))
    this.#allowed.set(path, allowed)
    const told = await orNull(allowed.get(signal))
    return told?.allowedValues?.length ? told.allowedValues.map(String) : null
  }

  #kept<Value>(reading: (signal: AbortSignal) => Promise<Value>): Kept<Value> {
    return new Once((signal) => refusalKept(reading(signal)), this.#keeping)
  }

  async #readTypes(signal: AbortSignal): Promise<WireType[]> {
    return (await this.#read('wit/workitemtypes', WireTypes, signal)).value
  }

  /** Older servers tell the states of a type only when asked for that type. */
  #withStates(types: readonly WireType[], signal: AbortSignal): Promise<WireType[]> {
    return inParallel(types, { limit: this.#client.limits.inFlight, signal }, async (type, signal) => {
      if (type.isDisabled === true || type.states?.length) return type
      const told = await orNull(this.#statesOf(type.name).get(signal))
      return { ...type, states: told?.value ?? [] }
    })
  }

  #statesOf(type: string): Kept<WireStates> {
    const path = `wit/workitemtypes/${encodeURIComponent(type)}/states`
    const states = this.#states.get(type) ?? this.#kept((signal) => this.#read(path, WireStates, signal))
    this.#states.set(type, states)
    return states
  }

  async #readNodes(kind: 'areas' | 'iterations', signal: AbortSignal): Promise<ClassificationNode[]> {
    return readNodes(this.#client, await this.#path(`wit/classificationnodes/${kind}`, signal), signal)
  }

  async #read<Shape extends z.ZodType>(rest: string, shape: Shape, signal: AbortSignal): Promise<z.output<Shape>> {
    return this.#client.read({ method: 'GET', path: await this.#path(rest, signal) }, shape, signal)
  }

  async #path(rest: string, signal: AbortSignal): Promise<string> {
    return projectPath(await this.#project.get(signal), `_apis/${rest}`)
  }
}

function iterationOf({ path, attributes }: ClassificationNode): TrackerProcess['iterations'][number] {
  return {
    path,
    startDate: instantValue(attributes?.startDate),
    finishDate: instantValue(attributes?.finishDate),
  }
}

/** What was read, or that it is refused. */
type Kept<Value> = Once<Value | TrackerFault>

/** A refusal that will last is a result, so that it is not asked for again with every item. */
function refusalKept<Value>(reading: Promise<Value>): Promise<Value | TrackerFault> {
  return reading.catch((error: unknown) => {
    if (isLastingRefusal(error)) return error
    throw error
  })
}

/** Null for what the tracker would not give. */
async function orNull<Value>(reading: Promise<Value | TrackerFault>): Promise<Value | null> {
  try {
    const value = await reading
    return value instanceof TrackerFault ? null : value
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}

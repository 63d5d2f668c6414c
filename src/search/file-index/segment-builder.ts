import { computeImpact, computeLengthFactor, FIELD_WEIGHTS, FIELDS, type Field, quantizeImpact } from '../rules/bm25'
import { countForms, extractFieldTexts, type KnownForm, type KnownTerm } from '../rules/count-terms'
import type { TokenStemmer } from '../rules/stem'
import { isStopWord } from '../rules/stop-words'
import type { Token } from '../rules/tokenize'
import { compareByNewest, type Entity } from '../services/entity'
import { ByteWriter } from './byte-codec'
import { FrameWriter, type IndexDisk, type Span } from './frame-file'
import { MAX_DOCUMENTS, writePostings } from './posting-list'
import {
  encodeRecord,
  entityKey,
  FORMS_LIST_KEY_PREFIX,
  formKey,
  idKey,
  listFilterKeys,
  PAGE_BYTES,
  RECORDS_PER_PAGE,
  type SegmentFacts,
  SPAN_BYTES,
  termKey,
  titleLineKey,
  titleTermKey,
} from './segment-format'
import { writeFormsByLength } from './similar-forms'
import { SortedTableWriter, sortKeys, type TableRoot } from './sorted-table'

/** The bits for the frequency of a term in each field of a document; 32 in total. */
const COUNT_BITS: Record<Field, number> = { title: 5, tags: 5, criteria: 11, description: 11 }

/** How many keys are written in one step. */
const KEYS_PER_STEP = 2_000

/** A term of the segment. */
interface Term extends KnownTerm {
  readonly number: number
}

/** A form of a word in the texts of the segment. */
interface Form extends KnownForm<Term> {
  /** Whether a text contains it as one word, not only as `dock-door` or `dockDoor`. */
  written: boolean
}

/** What orders an entity, and identifies its source. */
interface EntityStamp extends Pick<Entity, 'type' | 'id' | 'updatedAt'> {
  fingerprint: Buffer
}

/** Writes a segment, with the entities in the order in which equal results are shown. They may come in any order. */
export class SegmentBuilder {
  readonly #frames: FrameWriter
  readonly #stemToken: TokenStemmer
  readonly #records: Span[] = []
  readonly #stamps: EntityStamp[] = []
  readonly #lengths = FIELDS.map(() => new GrowableArray())
  readonly #terms = new Map<string, Term>()
  /** Those of one entity after the other. */
  readonly #postings = {
    term: new GrowableArray(),
    counts: new GrowableArray(),
  }
  /** By entity, where its postings begin. */
  readonly #starts: number[] = []
  readonly #words = new Map<string, Form>()
  /** For scripts without spaces: single characters and pairs of them. */
  readonly #signs = new Map<string, Form>()
  /** By complete key, the entities with their numbers as they came. */
  readonly #entitiesByKey = new Map<string, number[]>()

  constructor(path: string, { disk, stemToken }: { disk: IndexDisk; stemToken: TokenStemmer }) {
    this.#frames = new FrameWriter(path, disk)
    this.#stemToken = stemToken
  }

  get documents(): number {
    return this.#records.length
  }

  get isFull(): boolean {
    return this.documents === MAX_DOCUMENTS
  }

  /** In steps. @param fingerprint identifies the source of the entity; `FINGERPRINT_BYTES` long. */
  *add(entity: Entity, fingerprint: Uint8Array): Generator<void, void> {
    const number = this.documents
    const { type, id, updatedAt } = entity
    this.#stamps.push({ type, id, updatedAt, fingerprint: Buffer.from(fingerprint) })
    this.#starts.push(this.#postings.term.length)
    this.#records.push(this.#frames.write(encodeRecord(entity)))
    const { terms, times, lengths, titleLine } = yield* countForms(extractFieldTexts(entity), (token) =>
      this.#formOf(token),
    )
    for (const [column, field] of FIELDS.entries()) this.#lengths[column]!.push(lengths[field])
    for (let position = 0; position < terms.length; position++) {
      this.#postings.term.push(terms[position]!.number)
      this.#postings.counts.push(packCounts(times, position * FIELDS.length))
    }
    if (titleLine !== '') this.#addKey(titleLineKey(titleLine), number)
    this.#addKey(idKey(entity.id), number)
    for (const key of listFilterKeys(entity)) this.#addKey(toWellFormed(key), number)
  }

  /** In steps. Returns the documents by the numbers of their entities as they came, too. */
  *finish(): Generator<void, { facts: SegmentFacts; documents: Uint16Array }> {
    const order = this.#orderByNewest()
    const documents = new Uint16Array(order.length)
    for (let document = 0; document < order.length; document++) documents[order[document]!] = document
    const pages = this.#writePages(order)
    const table = yield* this.#writeTable(order, documents)
    this.#frames.close()
    const facts = { bytes: this.#frames.length, documents: this.documents, terms: this.#terms.size, pages, table }
    return { facts, documents }
  }

  abandon(): void {
    this.#frames.abandon()
  }

  #formOf(token: Token): Form {
    const isWord = token.kind === 'word' || token.kind === 'joined'
    const forms = isWord ? this.#words : this.#signs
    let form = forms.get(token.form)
    if (form === undefined) {
      form = { term: this.#termNamed(this.#stemToken(token)), isStop: isStopWord(token.form), written: false }
      forms.set(token.form, form)
    }
    if (token.kind === 'word') form.written = true
    return form
  }

  #termNamed(text: string): Term {
    const known = this.#terms.get(text)
    if (known !== undefined) return known
    const term = { text, number: this.#terms.size, position: -1 }
    this.#terms.set(text, term)
    return term
  }

  #addKey(key: string, number: number): void {
    const numbers = this.#entitiesByKey.get(key)
    if (numbers === undefined) this.#entitiesByKey.set(key, [number])
    else if (numbers.at(-1) !== number) numbers.push(number)
  }

  /** By document, the number of its entity. */
  #orderByNewest(): Uint32Array {
    return Uint32Array.from(this.#stamps.keys()).sort((a, b) => compareByNewest(this.#stamps[a]!, this.#stamps[b]!))
  }

  #writePages(order: Uint32Array): number {
    const first = this.#frames.length
    for (let start = 0; start < this.documents; start += RECORDS_PER_PAGE) {
      const page = Buffer.alloc(PAGE_BYTES)
      for (let i = 0; i < RECORDS_PER_PAGE; i++) {
        if (start + i >= order.length) break
        const record = this.#records[order[start + i]!]!
        page.writeDoubleLE(record.offset, i * SPAN_BYTES)
        page.writeUInt32LE(record.length, i * SPAN_BYTES + 8)
      }
      this.#frames.write(page)
    }
    return first
  }

  /** Writes the keys in order: kind by kind, sorted within each kind. */
  *#writeTable(order: Uint32Array, documents: Uint16Array): Generator<void, TableRoot> {
    const table = new SortedTableWriter(this.#frames)
    const postings = this.#postingsByTerm(order)
    const entities = new Map(this.#stamps.map((stamp, number) => [entityKey(stamp.type, stamp.id), number]))
    const locate = (number: number) => {
      writer.number(documents[number]!)
      writer.bytes(this.#stamps[number]!.fingerprint)
      return writer.take()
    }
    const kinds = new Map<string, string[]>([['=', [...entities.keys()]]])
    const terms = [...this.#terms.keys()]
    kinds.set('t', terms.map(termKey))
    kinds.set('i', terms.filter((term) => postings.standsInTitle(this.#terms.get(term)!.number)).map(titleTermKey))
    const forms = [...this.#words].filter(([, { isStop }]) => !isStop)
    kinds.set(
      'f',
      forms.map(([form]) => formKey(form)),
    )
    const lists = writeFormsByLength(
      this.#frames,
      forms.map(([form]) => form),
    )
    kinds.set(
      FORMS_LIST_KEY_PREFIX,
      [...lists.keys()].map((key) => FORMS_LIST_KEY_PREFIX + key),
    )
    for (const key of this.#entitiesByKey.keys()) {
      const kind = key[0]!
      if (!kinds.has(kind)) kinds.set(kind, [])
      kinds.get(kind)!.push(key)
    }
    const valueAt: Record<string, (key: string) => Buffer> = {
      '=': (key) => locate(entities.get(key)!),
      t: (key) => postings.everywhere(this.#terms.get(key.slice(1))!.number),
      i: (key) => postings.inTitle(this.#terms.get(key.slice(1))!.number),
      f: (key) => Buffer.of(this.#words.get(key.slice(1))!.written ? 1 : 0),
      [FORMS_LIST_KEY_PREFIX]: (key) => lists.get(key.slice(1))!,
    }
    const listed = (key: string) => {
      const found = this.#entitiesByKey.get(key)!.map((number) => documents[number]!)
      return writePostings(this.#frames, [found.sort((a, b) => a - b)])
    }
    let written = 0
    for (const kind of [...kinds.keys()].sort()) {
      const value = valueAt[kind] ?? listed
      for (const key of sortKeys(kinds.get(kind)!)) {
        table.add(key, value(key))
        if (++written % KEYS_PER_STEP === 0) yield
      }
    }
    return table.finish()
  }

  #postingsByTerm(entities: Uint32Array) {
    const { term, counts } = this.#postings
    const [terms, packed] = [term.numbers, counts.numbers]
    const starts = new Uint32Array(this.#terms.size + 1)
    for (let i = 0; i < terms.length; i++) starts[terms[i]! + 1]! += 1
    for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!
    // By term and document, the posting and its document.
    const order = new Uint32Array(terms.length)
    const documents = new Uint16Array(terms.length)
    const next = starts.slice()
    for (let document = 0; document < entities.length; document++) {
      const number = entities[document]!
      const end = this.#starts[number + 1] ?? terms.length
      for (let posting = this.#starts[number]!; posting < end; posting++) {
        const at = next[terms[posting]!]!++
        order[at] = posting
        documents[at] = document
      }
    }
    const factors = this.#lengthFactors(entities)
    const shareIn = (column: number, at: number) => {
      const times = countAt(packed[order[at]!]!, column)
      return times === 0 ? 0 : (FIELD_WEIGHTS[column]! * times) / factors[column]![documents[at]!]!
    }
    const write = (number: number, sharesAt: (at: number) => number) => {
      const steps: number[][] = []
      for (let at = starts[number]!; at < starts[number + 1]!; at++) {
        const shares = sharesAt(at)
        if (shares === 0) continue
        const step = quantizeImpact(computeImpact(shares))
        while (steps.length <= step) steps.push([])
        steps[step]!.push(documents[at]!)
      }
      return writePostings(this.#frames, steps)
    }
    const inAll = (at: number) => {
      let shares = 0
      for (let column = 0; column < FIELDS.length; column++) shares += shareIn(column, at)
      return shares
    }
    const inTitle = (at: number) => shareIn(TITLE, at)
    return {
      everywhere: (number: number) => write(number, inAll),
      inTitle: (number: number) => write(number, inTitle),
      standsInTitle: (number: number) => {
        for (let at = starts[number]!; at < starts[number + 1]!; at++) {
          if (countAt(packed[order[at]!]!, TITLE) > 0) return true
        }
        return false
      },
    }
  }

  /** By field and document. An average length is at least 1. */
  #lengthFactors(entities: Uint32Array): Float64Array[] {
    return this.#lengths.map(({ numbers }) => {
      const sum = numbers.reduce((total, length) => total + length, 0)
      const average = Math.max(1, sum / Math.max(1, numbers.length))
      return Float64Array.from(entities, (number) => computeLengthFactor(numbers[number]! / average))
    })
  }
}

/** Replaces lone surrogates, so that the key is the same after writing it as UTF-8. */
function toWellFormed(key: string): string {
  return Buffer.from(key).toString()
}

const writer = new ByteWriter()

const TITLE = FIELDS.indexOf('title')
const SHIFTS = FIELDS.map((_, column) => FIELDS.slice(0, column).reduce((bits, field) => bits + COUNT_BITS[field], 0))
const MAX_COUNTS = FIELDS.map((field) => 2 ** COUNT_BITS[field] - 1)

function packCounts(times: ArrayLike<number>, from: number): number {
  let packed = 0
  for (let column = 0; column < SHIFTS.length; column++) {
    const count = times[from + column]!
    if (count > 0) packed |= (count < MAX_COUNTS[column]! ? count : MAX_COUNTS[column]!) << SHIFTS[column]!
  }
  return packed >>> 0
}

function countAt(packed: number, column: number): number {
  return (packed >>> SHIFTS[column]!) & MAX_COUNTS[column]!
}

/** Numbers of 32 bits, one after the other. */
class GrowableArray {
  #numbers = new Uint32Array(1_024)
  length = 0

  push(value: number): void {
    if (this.length === this.#numbers.length) {
      const larger = new Uint32Array(2 * this.length)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    this.#numbers[this.length++] = value
  }

  /** The numbers, without the spare capacity. */
  get numbers(): Uint32Array {
    return this.#numbers.subarray(0, this.length)
  }
}

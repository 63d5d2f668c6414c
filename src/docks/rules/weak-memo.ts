/** The limits of a cache: values with the same objects, and all values. */
const MAX_VALUES = 200
const MAX_ALL_VALUES = 5_000

/**
 * Caches values derived from frozen objects as long as the objects exist. The objects and a name are the key. Values of objects that are
 * not frozen are not cached.
 */
export class WeakMemo<Value> {
  #children = new WeakMap<object, WeakMemo<Value>>()
  readonly #values = new Map<string, Value>()
  #made = 0

  get(objects: readonly object[], name: string, make: () => Value): Value {
    if (!objects.every(Object.isFrozen)) return make()
    let node: WeakMemo<Value> = this
    for (const object of objects) node = node.#getChild(object)
    return node.#getValue(name, () => {
      if (++this.#made % MAX_ALL_VALUES === 0) this.#children = new WeakMap()
      return make()
    })
  }

  #getChild(object: object): WeakMemo<Value> {
    const known = this.#children.get(object)
    if (known) return known
    const made = new WeakMemo<Value>()
    this.#children.set(object, made)
    return made
  }

  #getValue(name: string, make: () => Value): Value {
    const known = this.#values.get(name)
    if (known !== undefined) return known
    if (this.#values.size >= MAX_VALUES) this.#values.clear()
    const made = make()
    this.#values.set(name, made)
    return made
  }
}

/** Freezes an object with all of its parts, so that a WeakMemo caches what is derived from it. */
export function deepFreeze<Made>(made: Made): Made {
  if (typeof made !== 'object' || made === null) return made
  for (const part of Object.values(made)) deepFreeze(part)
  return Object.freeze(made)
}

const MAX_VALUES = 200

/**
 * Caches values derived from frozen objects for as long as the objects live. The objects and a name are the key.
 * Values of objects that are not frozen are not cached.
 */
export class WeakMemo<Value> {
  readonly #below = new WeakMap<object, WeakMemo<Value>>()
  readonly #values = new Map<string, Value>()

  get(objects: readonly object[], name: string, make: () => Value): Value {
    if (!objects.every(Object.isFrozen)) return make()
    let place: WeakMemo<Value> = this
    for (const object of objects) place = place.#beside(object)
    return place.#named(name, make)
  }

  #beside(object: object): WeakMemo<Value> {
    const known = this.#below.get(object)
    if (known) return known
    const made = new WeakMemo<Value>()
    this.#below.set(object, made)
    return made
  }

  #named(name: string, make: () => Value): Value {
    const known = this.#values.get(name)
    if (known !== undefined) return known
    if (this.#values.size >= MAX_VALUES) this.#values.clear()
    const made = make()
    this.#values.set(name, made)
    return made
  }
}

/** The parts of a board as they were last drawn. A booking changes few of them, and drawing is most of what a change costs. */
export class PartMemo {
  readonly #known = new Map<string, { input: string; part: string }>()

  /** Draws a part unless it was last drawn from the same input. */
  async draw(id: string, input: unknown, render: () => unknown): Promise<[id: string, part: string]> {
    const text = JSON.stringify(input)
    const known = this.#known.get(id)
    if (known?.input === text) return [id, known.part]
    const part = String(await render())
    this.#known.set(id, { input: text, part })
    return [id, part]
  }
}

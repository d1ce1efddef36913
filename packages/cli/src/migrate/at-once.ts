/**
 * Calls a function for each item, for a bounded number of items at the same time. After an error or
 * an abort no further item begins; it returns when the begun ones have ended.
 */
export async function atOnce<Item>(
  items: readonly Item[],
  { concurrency, signal }: { readonly concurrency: number; readonly signal: AbortSignal },
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values()
  const errors: unknown[] = []
  const work = async (): Promise<void> => {
    for (const item of queue) {
      if (signal.aborted || errors.length > 0) return
      try {
        await run(item)
      } catch (error) {
        errors.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  if (errors.length > 0) throw errors[0]
}

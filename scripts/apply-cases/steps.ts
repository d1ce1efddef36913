import type { Step } from './sequence.ts'

type Options = Partial<Pick<Step, 'force' | 'subresource' | 'apiVersion'>>

/** Server-side apply. */
export const apply = (by: string, body: unknown, options: Options = {}): Step => ({
  verb: 'apply',
  by,
  body,
  ...options,
})

/** A forced apply. */
export const force = (by: string, body: unknown, options: Options = {}): Step => ({
  verb: 'apply',
  by,
  body,
  force: true,
  ...options,
})

/** Create. */
export const post = (by: string, body: unknown, options: Options = {}): Step => ({
  verb: 'post',
  by,
  body,
  ...options,
})

/** Merge patch. */
export const merge = (by: string, body: unknown, options: Options = {}): Step => ({
  verb: 'merge',
  by,
  body,
  ...options,
})

/** JSON patch. */
export const json = (by: string, body: unknown, options: Options = {}): Step => ({
  verb: 'json',
  by,
  body,
  ...options,
})

/** Replaces with the result of a function of the live object. */
export const put = (
  by: string,
  body: (live: Record<string, never>) => unknown,
  options: Options = {},
): Step => ({ verb: 'put', by, body, ...options })

/** A body that has only a spec. */
export const spec = (fields: object) => ({ spec: fields })

import type { Kind } from 'setpoint'

/** The title of an object in messages: `Deployment shop/web`. */
export function objectTitle(
  { kind }: Pick<Kind, 'kind'>,
  { name, namespace }: { readonly name: string; readonly namespace?: string | undefined },
): string {
  return `${kind} ${namespace === undefined || namespace === '' ? '' : `${namespace}/`}${name}`
}

import type { Frozen } from 'setpoint'
import type { PodTemplateSpec } from 'setpoint/kinds'

const nameCharactersMax = 253

/**
 * A pod as its owner creates it. The server generates the name, Setpoint adds the owner reference.
 */
export interface NewPod {
  readonly metadata: {
    readonly generateName?: string
    readonly name?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
    readonly finalizers?: readonly string[]
  }
  readonly spec: NonNullable<Frozen<PodTemplateSpec>['spec']>
}

/** The pod of a template, for an owner of this name. */
export function podFromTemplate(template: Frozen<PodTemplateSpec>, ownerName: string): NewPod {
  const { labels, annotations, finalizers } = template.metadata ?? {}
  const prefix = `${ownerName}-`
  return {
    metadata: {
      generateName: prefix.length > nameCharactersMax ? ownerName : prefix,
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(finalizers === undefined ? {} : { finalizers }),
    },
    spec: template.spec ?? { containers: [] },
  }
}

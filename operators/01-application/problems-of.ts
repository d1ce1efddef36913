import { type Frozen, type InferResource, type Problem, problem } from 'setpoint'
import type { Application } from './application.ts'

/** Names of Services are stricter than names of Applications. */
const serviceName = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/

/** `registry:port/path/name:tag@digest`; only the name is required. */
const imageName =
  /^([a-zA-Z0-9.-]+(:\d+)?\/)?[a-z0-9]+([._/-]+[a-z0-9]+)*(:\w[\w.-]{0,127})?(@sha256:[0-9a-f]{64})?$/

/** Why an Application cannot run. A server would accept it, and its pods would never start. */
export function problemsOf({
  metadata: { name },
  spec: { image },
}: Frozen<InferResource<typeof Application>>): Problem<'metadata.name' | 'spec.image'>[] {
  return [
    ...(serviceName.test(name)
      ? []
      : [problem('metadata.name', 'must be the name of a Service: a letter first, no dots')]),
    ...(imageName.test(image)
      ? []
      : [problem('spec.image', 'must be the name of an image, such as ghcr.io/shclub/nginx:1.0')]),
  ]
}

import type { ResourceNames } from './names.ts'

/** README.md of a new project. */
export function readme(name: string, { kind, file }: ResourceNames): string {
  return `# ${name}

A Kubernetes operator, written with Setpoint. It maintains a Deployment and a Service for every \`${kind}\`, see
\`src/${file}.ts\`.

\`\`\`sh
npm run dev          # run the operator on an embedded cluster with the sample; reload when you save
npm test             # test it on the same cluster in virtual time
npm run generate     # write CRD, RBAC, Deployment, samples and kustomization to config/
npm run build        # write a bundle, a Dockerfile and an SBOM to dist/
\`\`\`

While \`npm run dev\` runs, use kubectl in another terminal (or \`npx setpoint kubectl\` if kubectl is not installed):

\`\`\`sh
export KUBECONFIG=$PWD/.setpoint/kubeconfig
kubectl get ${kind.toLowerCase()}s,deployments,pods
\`\`\`

On a real cluster:

\`\`\`sh
npx setpoint doctor                         # check versions, permissions and CRDs
npx setpoint install                        # install the CRD
npm start                                   # run the operator on this machine, or
npx setpoint deploy --image IMAGE           # deploy it, after you pushed the image
npx setpoint undeploy
\`\`\`

To add another resource: \`npx setpoint add resource KIND\`.
`
}

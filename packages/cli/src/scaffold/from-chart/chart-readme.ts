import type { ResourceNames } from '../names.ts'
import type { Chart } from './read-chart.ts'

/** README.md of a project from a chart. */
export function chartReadme(name: string, { kind, file }: ResourceNames, chart: Chart): string {
  const notes = chart.notes.map((note) => `- ${note[0]?.toUpperCase() ?? ''}${note.slice(1)}.\n`)
  const found = notes.length === 0 ? '' : `\nAbout this chart:\n\n${notes.join('')}`
  return `# ${name}

A Kubernetes operator for the Helm chart \`${chart.name}\`, written with Setpoint. The spec of a \`${kind}\` has the
values of the chart; the operator maintains what the chart renders with them. It needs \`helm\` on the PATH.

| file                  | what it is                                                                  |
| --------------------- | --------------------------------------------------------------------------- |
| \`src/chart/\`          | the chart: change it, or replace it by a newer version                      |
| \`src/${file}.ts\` | the resource, with a schema of the values, and the operator                 |
| \`src/kinds.ts\`        | the kinds of the objects that the chart renders, from which the role follows |
| \`src/render-chart.ts\` | renders the chart with \`helm template\`                                      |
${found}
\`\`\`sh
npm run dev          # run the operator on an embedded cluster with the sample; reload when you save
npm test             # test it on the same cluster
npm run generate     # write CRD, RBAC, Deployment, samples and kustomization to config/
npm run build        # write a bundle with the chart to dist/
docker build .       # an image with Node, helm, the bundle and the chart
\`\`\`

Deploy it with \`npx setpoint deploy --image IMAGE\`. When you replace the chart, compare \`src/${file}.ts\` and
\`src/kinds.ts\` with those of a new project from the new chart.
`
}

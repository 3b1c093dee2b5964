/** One API, opened: what it does and takes, a call in Python, and its schema. */
import type { JSX } from "preact";
import { FoldBox, Pane } from "../page";
import { CopyButton } from "../renderers";
import type { Detail } from "./shown";

interface Props {
  detail: Detail | undefined;
  name: string;
}

export function ApiDetail({ detail, name }: Props): JSX.Element {
  if (!detail) return <p class="nba-small">Asking the kernel…</p>;
  const { parameters } = detail;
  return (
    <div class="nba-cat-detail">
      <p class="nba-cat-prose">{detail.description || <em>No description.</em>}</p>
      {parameters.length > 0 && (
        <div class="nba-cat-scroll">
          <table aria-label={`What ${name} takes`}>
            <thead>
              <tr>
                {["Parameter", "Type", "Needed", "Description"].map((head) => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {parameters.map((one) => (
                <tr key={one.name}>
                  <th scope="row">
                    <code>{one.name}</code>
                  </th>
                  <td>{one.type}</td>
                  <td>{one.need}</td>
                  <td>{one.description}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div class="nba-cat-call">
        <Pane label={`A call of ${name} in Python`}>
          <pre>{detail.call}</pre>
        </Pane>
        <CopyButton text={() => detail.call} what="the call" />
      </div>
      <FoldBox label="JSON Schema">
        {() => (
          <Pane label={`JSON Schema of ${name}`}>
            <pre>{detail.schema}</pre>
          </Pane>
        )}
      </FoldBox>
      {detail.about && <p class="nba-small">{detail.about}</p>}
    </div>
  );
}

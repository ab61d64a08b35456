import { html, type Html } from '../../pages/parts/html';
import type { SitePage } from '../../site/site-layout';
import { codeSamples, type CodeSample, type Deployment } from './code-samples';
import { colouredJson, markedText, paragraphs } from './marked-text';
import { SharedSchemas, type OpenApiDocument, type ParameterObject } from './open-api';
import type { ReferenceGroup, ReferenceOperation, Reply } from './reference-groups';
import { SchemaFields, type Field, type Form } from './schema-fields';

const languages = { curl: 'curl', sdk: 'SDK', cli: 'CLI' } as const;

/** Renders the pages of the API reference: `/docs`, and one page for each group of operations. */
export class ReferencePages {
  private readonly fields: SchemaFields;

  constructor(
    private readonly document: OpenApiDocument,
    private readonly groups: readonly ReferenceGroup[],
    private readonly deployment: Deployment,
  ) {
    this.fields = new SchemaFields(new SharedSchemas(document));
  }

  overview(): SitePage {
    const content = html`<h1>API reference</h1>
      ${paragraphs(this.document.info.description ?? '')} ${firstSteps(this.deployment)}
      <h2>Messages and documents</h2>
      <p>
        <a href="/guides/webhook-messages">Webhooks</a>, <a href="/guides/events">events</a>,
        <a href="/docs/errors">error codes</a>, and the documents for programs:
        <a href="/openapi.json">openapi.json</a> and <a href="/asyncapi.json">asyncapi.json</a>.
      </p>
      ${this.groups.map(
        ({ slug, title, description, operations }) =>
          html`<h2 id="${slug}"><a href="/docs/${slug}">${title}</a></h2>
            <p>${markedText(description)}</p>
            <ul class="routes">
              ${operations.map(
                ({ id, method, path, summary }) =>
                  html`<li id="${id}">
                    <a href="/docs/${slug}#${id}">${summary}</a> ${routeLine(method, path)}
                  </li>`,
              )}
            </ul>`,
      )}`;
    return this.page(
      'API reference - Tollbridge',
      'Every operation of the API, with samples to paste.',
      content,
    );
  }

  /** @returns undefined when no group has this slug */
  group(slug: string): SitePage | undefined {
    const group = this.groups.find((each) => each.slug === slug);
    if (!group) return undefined;
    const { title, description, operations } = group;
    const content = html`<h1>${title}</h1>
      <p class="lead">${markedText(description)}</p>
      ${operations.map((operation) => this.operation(operation, group))}`;
    return this.page(`${title} - API reference - Tollbridge`, description, content, group);
  }

  private page(title: string, description: string, content: Html, open?: ReferenceGroup): SitePage {
    const body = html`<div class="guide reference">
      <div class="menu">
        <button class="button quiet" popovertarget="all-operations">All operations</button>
        <nav id="all-operations" popover aria-label="Operations">
          ${searchForm} ${this.groups.map((group) => menuGroup(group, group === open))}
        </nav>
      </div>
      <div class="content">${content}</div>
    </div>`;
    return { title, description, body, current: '/docs', script: 'reference' };
  }

  private operation(operation: ReferenceOperation, group: ReferenceGroup): Html {
    const { id, method, path, summary, description, parameters, body, replies, failures } = operation;
    const samples = codeSamples(operation, group.slug, this.deployment);
    return html`<section class="operation" id="${id}" aria-labelledby="${id}-title">
      <div class="about">
        <h2 id="${id}-title"><a href="#${id}">${summary}</a></h2>
        <p>${routeLine(method, path)}</p>
        ${paragraphs(description)}
        ${
          parameters.length > 0 &&
          html`<h3>Parameters</h3>
            ${fieldList(parameters.map((each) => this.parameter(each)))}`
        }
        ${body && this.body(body)}
        <h3>Replies</h3>
        ${replies.map((reply) => this.reply(reply))} ${failureList(failures)}
      </div>
      <div class="samples">${sampleTabs(id, samples)} ${exampleReply(replies)}</div>
    </section>`;
  }

  private parameter({
    name,
    in: place,
    required = false,
    description = '',
    schema = {},
  }: ParameterObject): Row {
    const field = this.fields.field({ name, isRequired: required }, { ...schema, description });
    return { ...field, place };
  }

  private body({ type, schema }: NonNullable<ReferenceOperation['body']>): Html {
    const forms = this.fields.formsOf(schema);
    const note = type === 'application/json' ? '' : type;
    return html`<h3>Body ${note && html`<span class="soft">${note}</span>`}</h3>
      ${forms.length > 0 ? formList(forms) : html`<p class="soft">${this.fields.field({ name: '', isRequired: true }, schema).type}</p>`}`;
  }

  private reply({ status, description, headers, content }: Reply): Html {
    const forms = content ? this.fields.formsOf(content.schema) : [];
    const rows = headers.map(({ name, description: text, schema }) => ({
      ...this.fields.field({ name, isRequired: false }, { ...schema, description: text }),
      place: 'header',
    }));
    const title = html`<strong>${status}</strong> ${markedText(description)}`;
    const note =
      content && content.type !== 'application/json' && html`<span class="soft">${content.type}</span>`;
    if (forms.length === 0 && rows.length === 0) return html`<p>${title} ${note}</p>`;
    return html`<details class="reply">
      <summary>${title} ${note}</summary>
      ${rows.length > 0 && fieldList(rows)} ${formList(forms)}
    </details>`;
  }
}

const searchForm = html`<form class="search" role="search" action="/guides">
  <label for="q">Find an operation <kbd>/</kbd></label>
  <input id="q" name="q" type="search" maxlength="100" autocomplete="off" aria-describedby="found" required />
  <p id="found" class="soft" role="status"></p>
</form>`;

const menuGroup = ({ slug, title, operations }: ReferenceGroup, isOpen: boolean): Html =>
  html`<details ${isOpen && html`open`}>
    <summary>${title}</summary>
    <ul>
      ${operations.map(
        ({ id, method, path, summary }) =>
          html`<li>
            <a href="${isOpen ? '' : `/docs/${slug}`}#${id}" data-route="${method} ${path}">${summary}</a>
          </li>`,
      )}
    </ul>
  </details>`;

const routeLine = (method: string, path: string): Html =>
  html`<span class="route"
    ><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></span
  >`;

type Row = Field & { place?: string };

const fieldList = (rows: readonly Row[]): Html =>
  html`<ul class="fields">
    ${rows.map(fieldItem)}
  </ul>`;

function fieldItem({
  name,
  type,
  isRequired,
  place,
  description,
  bounds,
  pattern,
  values,
  forms,
}: Row): Html {
  return html`<li>
    <code class="name">${name}</code>
    <span class="soft">${[place, type, ...bounds].filter(Boolean).join(', ')}</span>
    ${isRequired && html`<strong class="required">required</strong>`}
    ${description && html`<p>${markedText(description)}</p>`}
    ${
      values.length > 0 &&
      html`<p class="soft">
        One of ${values.map((value, at) => html`${at > 0 && ', '}<code>${value}</code>`)}
      </p>`
    }
    ${pattern && html`<p class="soft">Matches <code>${pattern}</code></p>`}
    ${
      forms.length > 0 &&
      html`<details>
        <summary>Fields of ${name}</summary>
        ${formList(forms)}
      </details>`
    }
  </li>`;
}

const formList = (forms: readonly Form[]): Html[] =>
  forms.map(
    ({ title, fields }) =>
      html`${forms.length > 1 && title && html`<p class="form">${title}</p>`}${fieldList(fields)}`,
  );

/** Each code links to its explanation. */
const failureList = (failures: readonly Reply[]): Html =>
  html`<dl class="failures">
    ${failures.map(
      ({ status, description }) =>
        html`<dt>${status}</dt>
          <dd>${description.split(/\n\s*\n/).map(failureLine)}</dd>`,
    )}
  </dl>`;

function failureLine(text: string): Html {
  const [, code, meaning] = /^`([A-Z_\d]+)`: ([^]*)$/.exec(text) ?? [];
  if (code === undefined || meaning === undefined) return html`<p>${markedText(text)}</p>`;
  return html`<p>
    <a href="/docs/errors#${code}"><code>${code}</code></a> ${markedText(meaning)}
  </p>`;
}

/** Works without a script: radio buttons select the visible code. */
function sampleTabs(id: string, samples: readonly CodeSample[]): Html {
  return html`<fieldset class="tabs">
    <legend>Sample</legend>
    ${samples.map(
      ({ language }, at) =>
        html`<label
          ><input type="radio" name="${id}-language" value="${language}" ${at === 0 && html`checked`} />
          ${languages[language]}</label
        >`,
    )}
    ${samples.map(
      ({ language, code }) =>
        html`<div class="code" data-language="${language}">
          <pre tabindex="0"><code>${code}</code></pre>
        </div>`,
    )}
  </fieldset>`;
}

function exampleReply(replies: readonly Reply[]): Html | undefined {
  const reply = replies.find(({ content }) => content?.example !== undefined);
  const example = reply?.content?.example;
  if (!reply || example === undefined) return undefined;
  const text = typeof example === 'string' ? example : colouredJson(example);
  return html`<h3>Reply ${reply.status}</h3>
    <div class="code">
      <pre tabindex="0"><code>${text}</code></pre>
    </div>`;
}

/** The steps that are needed before the samples work when pasted. */
function firstSteps({ url, isSandbox }: Deployment): Html {
  const login = isSandbox
    ? `tollbridge login --sandbox --api-url ${url}`
    : `tollbridge login --api-url ${url}`;
  const key = isSandbox
    ? `export TOLLBRIDGE_API_KEY=$(curl -s ${url}/sandbox | grep -o 'tb_test_sk_[A-Za-z0-9_-]*' | head -1)`
    : 'export TOLLBRIDGE_API_KEY=…';
  return html`<h2>Run the samples</h2>
    <p>
      Each operation has samples for curl, the SDK (<code>@tollbridge/sdk</code>) and the command line
      (<code>tollbridge</code>). They call <code>${url}</code> and take the key from the environment:
    </p>
    <div class="code">
      <pre tabindex="0"><code>${`${key}\n${login}`}</code></pre>
    </div>`;
}

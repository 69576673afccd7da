// The project that `init` writes: it works at once, on the emulator.

export const PROJECT = `# yaml-language-server: $schema=./node_modules/chatform/schemas/project.schema.json
# Which manifest goes to which licenses, and how.
version: 1

manifest:
  - manifest.yaml

default_target: sandbox

targets:
  # A license that lives in a file: try everything here first, nothing leaves this machine.
  sandbox:
    base_url: emulator:.chatform/sandbox.json
    secrets: { file: .chatform/sandbox.secrets.json }

  # A real license. The token comes from the environment variable, never from this file.
  # production:
  #   base_url: https://api.example.com
  #   api_version: "3.6"
  #   # A personal access token, which is recommended, needs its account; leave account_id out for another access token.
  #   token_env: CHATFORM_TOKEN
  #   account_id: <id of your account>
  #   # What is owned: keep it from run to run. In git, never let it merge by union; see node_modules/chatform/docs/explanation/guarantees.md.
  #   ledger: ledger/production.ndjson
  #   secrets: { file: .chatform/production.secrets.json }
  #   protect: [agent/ann@example.com]
`;

export const MANIFEST = `# yaml-language-server: $schema=./node_modules/chatform/schemas/manifest.schema.json
# What the license should have. A field that is left out is not managed; an object that is left out is not touched,
# unless chatform created or adopted it.
version: 1

agents:
  ann@example.com: { name: Ann, role: administrator, max_chats_count: 8 }
  bob@example.com: { name: Bob, max_chats_count: 6 }

groups:
  sales:
    name: Sales
    language_code: en
    # Complete as it stands: an agent that is not listed is no member.
    agent_priorities: { ann@example.com: first, bob@example.com: normal }
  support:
    name: Support
    agent_priorities: { bob@example.com: first }

# Ordered: the first rule that matches decides where a chat goes.
auto_access:
  - key: pricing
    description: Questions about prices go to sales
    access: { groups: [sales] }
    conditions: { url: { values: [{ value: /pricing }] } }
  - key: everyone-else
    description: All other pages go to support
    access: { groups: [support] }
    conditions: { domain: { values: [{ value: example.com }] } }
`;

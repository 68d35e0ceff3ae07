vim9script

import './harness.vim'

const Test = harness.Test
const Same = harness.Same
const Keys = harness.Keys
const Propose = harness.Propose
const Sent = harness.Sent
const SentSo = harness.SentSo
const Show = harness.Show

const reason = 'Toy takes no edits: it writes its own text.'
const fields = {agent: 'Toy', readOnlyReason: reason}

def Shows(child: dict<any>, text: string)
  harness.Eventually(child, text, () => stridx(harness.Screen(child), text) >= 0)
enddef

Test('a proposal whose agent takes no edits is read-only, says why, and is accepted as proposed', (child) => {
  Propose(child, fields)
  harness.Do(child, 'IdeCompanion diff')
  Same(harness.Eval(child, '&modifiable'), 0)
  Shows(child, reason .. '   :IdeCompanion edit')
  Shows(child, ':w accepts    :q rejects    read-only')
  Keys(child, "Atyped\<Esc>:w\<CR>")
  Same(SentSo(child, 'companion/diffAccepted', 1), [{id: '1', content: "one\n2\nthree\n"}])
})

Test(":IdeCompanion edit makes it editable, and accepting says that it is the user's own version", (child) => {
  Propose(child, fields)
  Keys(child, ":IdeCompanion edit\<CR>")
  Shows(child, ':w lets Toy write its own text, then :IdeCompanion edits offers yours')
  Same(harness.Eval(child, '&modifiable'), 1)
  Keys(child, "GA mine\<Esc>:w\<CR>")
  const accepted = {id: '1', content: "one\n2\nthree mine\n", ownVersion: true}
  Same(SentSo(child, 'companion/diffAccepted', 1), [accepted])
})

Test('what was typed last reaches the companion before a rejection', (child) => {
  Propose(child, fields)
  Keys(child, ":IdeCompanion edit\<CR>GA mine\<Esc>:IdeCompanion reject\<CR>")
  Same(SentSo(child, 'companion/diffRejected', 1), [{id: '1'}])
  Same(Sent(child, 'companion/draft'), [{id: '1', content: "one\n2\nthree mine\n"}])
})

Test(':e! brings back the text of the agent, read-only as before', (child) => {
  Propose(child, fields)
  Show(child)
  Keys(child, ":e!\<CR>")
  Same(harness.Eval(child, '[&modifiable, &modified]'), [0, 0])
})

vim9script

import './harness.vim'

const Test = harness.Test
const Same = harness.Same
const Keys = harness.Keys
const Propose = harness.Propose
const Sent = harness.Sent
const SentSo = harness.SentSo

const Here = (child: dict<any>): string => harness.Eval(child, 'bufname()')

def ProposeThree(child: dict<any>)
  for number in [1, 2, 3]
    Propose(child, {id: string(number), label: printf('dir/%d.ts', number), filePath: printf('/app/dir/%d.ts', number)})
  endfor
enddef

def Asks(child: dict<any>, lines: list<string>)
  const IsThere = () => stridx(substitute(harness.Screen(child), ' *\n', '\n', 'g'), join(lines, "\n")) >= 0
  harness.Eventually(child, lines[0], IsThere)
enddef

Test('keys go to the next proposal and to the one before', (child) => {
  ProposeThree(child)
  Keys(child, ':IdeCompanion next\<CR>')
  var seen = [Here(child)]
  for key in ['\\n', '\\n', '\\n', '\\p', '\\p']
    Keys(child, key)
    add(seen, Here(child))
  endfor
  const [one, two, three] = ['Gemini CLI: 1.ts', 'Gemini CLI: 2.ts', 'Gemini CLI: 3.ts']
  Same(seen, [one, two, three, one, three, two])
})

# What the server says of those that wait: a text for each id. And the agents that are accepted ahead.
def Tell(child: dict<any>, rows: dict<string>, ahead: list<string> = [])
  child.lists.waiting = sort(keys(rows))->mapnew((_, id) => {
    const hunk = {id: '', line: 2, text: 'Gemini CLI: ' .. rows[id]}
    return {id: id, agent: 'Gemini CLI', label: printf('dir/%s.ts', id), text: rows[id], hunks: [hunk]}
  })
  child.last_id += 1
  const port = child.last_id
  harness.TellStatus(child, {ahead: ahead, line: 'ahead 100%', port: port})
  harness.Until(child, 'ide_companion#Status().port == ' .. port)
enddef

const texts = 'map(getqflist(), {_, item -> [item.module, item.lnum, item.text]})'

# What the server answers to an action: a question, and then something else.
def Answer(child: dict<any>, action: string, question: string, done: dict<any>)
  child.acts[action] = (params) => has_key(params, 'sure') ? done : {ask: {question: question, yes: 'Accept'}}
enddef

Test('the quickfix list has what the server says of proposals, and Enter goes to one in its own tab', (child) => {
  ProposeThree(child)
  Keys(child, ':IdeCompanion next\<CR>:IdeCompanion next\<CR>Gofour\<Esc>:tabfirst\<CR>')
  Tell(child, {1: '+1 -1', 2: '+2 -1, 2 of 3, ahead, edited by you', 3: '+1 -1, 3 of 3, ahead'})
  Keys(child, ':IdeCompanion list\<CR>')
  harness.Until(child, '&buftype == "quickfix"')
  Same(harness.Eval(child, 'winheight(0)'), 3)
  Same(harness.Eval(child, texts), [
    ['dir/1.ts', 2, 'Gemini CLI: +1 -1'],
    ['dir/2.ts', 2, 'Gemini CLI: +2 -1, 2 of 3, ahead, edited by you'],
    ['dir/3.ts', 2, 'Gemini CLI: +1 -1, 3 of 3, ahead'],
  ])
  Same(child.sent->mapnew((_, message) => message.method)[-2 :], ['companion/draft', 'companion/list'])
  Same(harness.Eval(child, 'ide_companion#Statusline()'), 'ahead 100')
  Keys(child, 'G\<CR>')
  Same([Here(child), harness.Eval(child, 'line(".")')], ['Gemini CLI: 3.ts', 2])
  Keys(child, ':w\<CR>')
  Same(SentSo(child, 'companion/diffAccepted', 1)[0].id, '3')
  harness.Until(child, '&buftype == "quickfix"')
  Tell(child, {1: '+1 -1', 2: '+2 -1'})
  harness.Until(child, 'len(getqflist()) == 2')
  Keys(child, ':copen\<CR>G\<CR>')
  Same(Here(child), 'Gemini CLI: 2.ts')
})

Test('the rest of one agent is accepted after a question, and nothing of another one', (child) => {
  ProposeThree(child)
  Keys(child, ':IdeCompanion next\<CR>')
  Answer(child, 'accept-agent', "Accept 2 proposals of Gemini CLI?\n  dir/1.ts\n  dir/3.ts", {decide: {accept: true, ids: ['1', '3', '9']}})
  term_sendkeys(child.terminal, ":IdeCompanion accept_rest\r")
  Asks(child, ['Accept 2 proposals of Gemini CLI?', '  dir/1.ts', '  dir/3.ts'])
  term_sendkeys(child.terminal, 'a')
  Same(SentSo(child, 'companion/diffAccepted', 2)->mapnew((_, one) => one.id), ['1', '3'])
  Same(Sent(child, 'companion/act')[0], {list: 'waiting', id: '1', action: 'accept-agent', stopAt: []})
})

Test('the rest of a turn is accepted ahead after a question, except for some files, until the user decides again', (child) => {
  ProposeThree(child)
  Answer(child, 'accept-ahead', 'Accept what Gemini CLI proposes?', {message: 'The rest is accepted', next: 'stop-ahead'})
  Keys(child, ':IdeCompanion next\<CR>\\n')
  term_sendkeys(child.terminal, ":IdeCompanion accept_ahead *.lock db/\r")
  Asks(child, ['Accept what Gemini CLI proposes?'])
  term_sendkeys(child.terminal, 'a')
  const act = {list: 'waiting', id: '2', action: 'accept-ahead', stopAt: ['*.lock', 'db/']}
  Same(SentSo(child, 'companion/act', 2), [act, extendnew(act, {sure: true})])
  harness.Until(child, 'execute("messages") =~ "The rest is accepted   :IdeCompanion stop_ahead"')
  child.acts['stop-ahead'] = {message: 'You decide about Gemini CLI again.'}
  harness.Do(child, 'IdeCompanion stop_ahead')
  harness.Until(child, 'execute("messages") =~ "You decide about Gemini CLI again."')
})

Test('Enter in a list of another command works as before', (child) => {
  Propose(child)
  Tell(child, {1: '+1 -1'})
  Keys(child, ':IdeCompanion list\<CR>')
  harness.Until(child, '&buftype == "quickfix"')
  const path = harness.File(child, 'found.txt', "one\ntwo\n")
  Keys(child, printf(':call setqflist([#{filename: ''%s'', lnum: 2}])\<CR>:1\<CR>\<CR>', path))
  Same([Here(child), harness.Eval(child, 'line(".")')], [path, 2])
})

Test('all proposals are decided after one question, which names those that are edited; comments go along', (child) => {
  for [command, action] in [['accept_all', 'accept'], ['reject_all', 'reject']]
    ProposeThree(child)
    Keys(child, ':IdeCompanion next\<CR>2G\\cwhy two?\<CR>\\nGofour\<Esc>')
    const question = ['Accept 3 proposals?', '  dir/2.ts, edited by you', '  dir/1.ts', '  dir/3.ts']
    Answer(child, action, join(question, "\n"), {decide: {accept: action == 'accept', ids: ['1', '2', '3']}})
    term_sendkeys(child.terminal, printf(":IdeCompanion %s\r", command))
    Asks(child, question)
    term_sendkeys(child.terminal, "c")
    harness.Until(child, 'mode(1) == "n"')
    const method = action == 'accept' ? 'companion/diffAccepted' : 'companion/diffRejected'
    Same(Sent(child, method), [])
    term_sendkeys(child.terminal, printf(":IdeCompanion %s\r", command))
    Asks(child, question)
    term_sendkeys(child.terminal, 'a')
    const sent = SentSo(child, method, 3)
    Same(mapnew(sent, (_, each) => [each.id, has_key(each, 'withComments')]), [['1', 1], ['2', 0], ['3', 0]])
    harness.UntilGone(child)
  endfor
})

Test('without a proposal each command says so', (child) => {
  harness.Start(child)
  for command in ['list', 'accept_rest', 'previous']
    Keys(child, printf(':messages clear | IdeCompanion %s\<CR>', command))
    harness.Until(child, 'execute("messages") =~ "No proposal waits for you."')
  endfor
})

Test('the quickfix list follows what the server says, and :cc finds all that it has', (child) => {
  ProposeThree(child)
  Tell(child, {1: '+1 -1', 2: '+1 -1', 3: '+1 -1'})
  Keys(child, ':IdeCompanion list\<CR>')
  harness.Until(child, 'len(getqflist()) == 3')
  Keys(child, 'G')
  Tell(child, {2: '+1 -1', 3: '+1 -1'})
  harness.Until(child, 'len(getqflist()) == 2')
  Same(harness.Eval(child, 'line(".")'), 2) # still on the same proposal
  Keys(child, ':cclose\<CR>')
  Propose(child, {id: '4', label: 'dir/4.ts'})
  Tell(child, {2: '+1 -1', 4: '+1 -1, 3 of 3'})
  harness.Until(child, 'getqflist()[1].text == "Gemini CLI: +1 -1, 3 of 3"')
  harness.Do(child, 'cc 1')
  Same(Here(child), 'Gemini CLI: 2.ts')
})

Test('what is accepted ahead is not announced as if it waited', (child) => {
  harness.Start(child)
  Tell(child, {}, ['Gemini CLI'])
  Propose(child, {id: '4'})
  harness.Ask(child, 'companion/closeDiff', {id: '4', words: 'Gemini CLI has taken this back'})
  harness.Do(child, 'let g:later = timer_start(600, {-> execute("legacy let g:passed = 1")})')
  harness.Until(child, 'exists("g:passed")')
  Same(harness.Eval(child, 'execute("messages") =~ "proposes"'), 0)
})

vim9script
# What the user writes about lines of a proposal. It goes to the agent with the decision.
#
# A comment is a dictionary with
#   id, text
#   buffer         the side that it is on
#   first, last    its lines, 1-based; they follow the text

import autoload 'ide_companion/diff.vim'
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/server.vim'
import autoload 'ide_companion/text.vim' as text_of
import autoload 'ide_companion/unified.vim'
import autoload 'ide_companion/view.vim'

# The name of the signs and of the type of the texts.
const name = 'ide_companion_comment'
const highlight = 'MoreMsg'

# No line of input has it.
const cancelled = "\n"

# Where a line is after lines of its buffer were replaced. `change` is as a listener has it. Of replaced lines the
# first one of a comment stays inside of the new lines, and so does the last one.
def Moved(line: number, change: dict<any>, is_last: bool): number
  if line >= change.end
    return line + change.added
  elseif line < change.lnum
    return line
  endif
  const end = change.end - 1 + change.added
  return min([line, is_last ? end : max([change.lnum, end])])
enddef

def Follow(serial: number, buffer: number, changes: list<dict<any>>)
  const proposal = diff.BySerial(serial)
  const here = get(proposal, 'comments', [])->copy()->filter((_, comment) => comment.buffer == buffer)
  for comment in here
    for change in changes
      comment.first = Moved(comment.first, change, false)
      comment.last = max([comment.first, Moved(comment.last, change, true)])
    endfor
  endfor
  if !empty(here)
    # The texts of lines that went are gone with them. In a listener nothing may be drawn.
    timer_start(0, (_) => Draw(proposal))
  endif
enddef

# Lets comments follow the lines of the proposed text; the other one does not change.
export def Watch(proposal: dict<any>)
  const serial: number = proposal.serial
  listener_add((buffer, _, _, _, changes) => Follow(serial, buffer, changes), proposal.proposed)
enddef

# Runs an action that loads the proposed text again. Comments keep the numbers of their lines.
export def WhileLoading(proposal: dict<any>, Load: func())
  const before = deepcopy(proposal.comments)
  Load()
  listener_flush(proposal.proposed)
  for index in range(len(before))
    extend(proposal.comments[index], before[index])
  endfor
  Draw(proposal)
enddef

# The first and the last line of a comment, as they stand.
def LinesOf(comment: dict<any>): list<number>
  listener_flush(comment.buffer)
  const end = getbufinfo(comment.buffer)[0].linecount
  return [min([comment.first, end]), min([comment.last, end])]
enddef

# The text of a comment at the end of its last line or, in one window, below it. Between two windows it would move the
# lines of one side only. At the end it has a column: Vim 9.0 draws a text without one wrong where a line is missing
# above.
def DrawText(comment: dict<any>, line: number, is_split: bool)
  const text = Mark() .. ' ' .. substitute(comment.text, '[[:cntrl:]]', ' ', 'g')
  if is_split
    const end = len(getbufline(comment.buffer, line)[0]) + 1
    prop_add(line, end, {bufnr: comment.buffer, type: name, text: '  ' .. text})
  else
    prop_add(line, 0, {bufnr: comment.buffer, type: name, text: text, text_align: 'below', text_wrap: 'wrap'})
  endif
enddef

def Mark(): string
  return &encoding == 'utf-8' ? '▎' : '>'
enddef

def DrawSide(proposal: dict<any>, buffer: number)
  sign_define(name, {text: Mark(), texthl: highlight})
  sign_unplace(name, {buffer: buffer})
  if unified.IsPossible()
    if empty(prop_type_get(name, {bufnr: buffer}))
      prop_type_add(name, {bufnr: buffer, highlight: highlight})
    endif
    prop_remove({type: name, bufnr: buffer, all: true})
  endif
  const is_split = proposal.view.base > 0
  for comment in proposal.comments->copy()->filter((_, comment) => comment.buffer == buffer)
    const [first, last] = LinesOf(comment)
    if unified.IsPossible()
      DrawText(comment, last, is_split)
    endif
    # In one window a sign would be next to the first of the lines that are shown above its line.
    for line in is_split || !unified.IsPossible() ? range(first, last) : []
      sign_place(0, name, name, buffer, {lnum: line})
    endfor
  endfor
enddef

# Shows the comments on a proposal. Vim without signs shows their number only.
export def Draw(proposal: dict<any>)
  if !has('signs') || empty(proposal.view)
    return
  endif
  for buffer in [proposal.proposed, proposal.base]
    if bufloaded(buffer)
      DrawSide(proposal, buffer)
    endif
  endfor
enddef

def Compare(one: dict<any>, other: dict<any>): number
  if one.side != other.side
    return one.side == 'proposed' ? -1 : 1
  endif
  return one.startLine != other.startLine ? one.startLine - other.startLine : one.endLine - other.endLine
enddef

# All comments on a proposal by side and line, as the companion takes them.
export def List(proposal: dict<any>): list<dict<any>>
  return proposal.comments->mapnew((_, comment) => ToSent(proposal, comment))->sort(Compare)
enddef

def ToSent(proposal: dict<any>, comment: dict<any>): dict<any>
  const [first, last] = LinesOf(comment)
  return {
    id: comment.id,
    side: comment.buffer == proposal.base ? 'original' : 'proposed',
    startLine: first,
    endLine: last,
    quote: getbufline(comment.buffer, first, last)->join("\n"),
    text: comment.text,
  }
enddef

# The comment that is on a line, or on exactly these lines; empty when there is none.
def At(proposal: dict<any>, buffer: number, first: number, last: number): dict<any>
  for comment in proposal.comments
    const [from, to] = LinesOf(comment)
    const is_on = first == last ? from <= first && first <= to : from == first && to == last
    if comment.buffer == buffer && is_on
      return comment
    endif
  endfor
  return {}
enddef

# An empty text deletes a comment.
def Write(proposal: dict<any>, comment: dict<any>, text: string)
  filter(proposal.comments, (_, other) => other isnot comment)
  comment.text = text
  if text != ''
    add(proposal.comments, comment)
  endif
  Draw(proposal)
  view.Refresh(proposal)
  if proposal.ended == ''
    server.Notify('companion/comments', {id: proposal.id, comments: List(proposal)})
  endif
enddef

def New(proposal: dict<any>, buffer: number, first: number, last: number): dict<any>
  proposal.comment_count += 1
  return {id: string(proposal.comment_count), text: '', buffer: buffer, first: first, last: last}
enddef

# Asks for a comment on lines of the side that the user is in. On a line that has one it changes that; an empty text
# deletes it.
export def Ask(proposal: dict<any>, first: number, last: number)
  const buffer = bufnr()
  if index([proposal.proposed, proposal.base], buffer) < 0
    say.Info('Go to a line of the proposal first: :IdeCompanion diff')
    return
  endif
  const known = At(proposal, buffer, first, last)
  const [from, to] = empty(known) ? [first, last] : LinesOf(known)
  const where = from == to ? 'line ' .. from : printf('lines %d-%d', from, to)
  const answer = inputdialog(printf('Comment on %s: ', where), get(known, 'text', ''), cancelled)
  redraw
  echo ''
  if answer == cancelled
    return
  elseif empty(diff.BySerial(proposal.serial)) || proposal.ended != ''
    # Meanwhile it was decided elsewhere.
    say.Warn(printf('The proposal has closed. Your comment is %s', text_of.Copy(answer)))
  elseif !empty(known) || trim(answer) != ''
    Write(proposal, empty(known) ? New(proposal, buffer, from, to) : known, trim(answer))
  endif
enddef

# Whether there is something to send; if not, it says how to write it.
export def Expect(proposal: dict<any>): bool
  if empty(proposal.comments)
    say.Info('Comment on a line first: :IdeCompanion comment')
  endif
  return !empty(proposal.comments)
enddef

# Compiled later, in a callback, the lines of a lambda would scroll the screen.
defcompile

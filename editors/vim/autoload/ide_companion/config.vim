vim9script
# The options: what holds when the user says nothing, and g:ide_companion over it.

const defaults = {
  # How the server is started.
  cmd: ['ide-companion', 'lsp'],
  # With the first file; else by `:IdeCompanion start`.
  auto_start: true,
  # A function that returns the workspace folders; by default the repository of the working directory.
  root: null,
  diff: {
    layout: 'vertical',
    # Go to a proposal as soon as it comes.
    focus: false,
    # Only inside of the diff.
    keys: {accept: '<LocalLeader>a', reject: '<LocalLeader>r'},
  },
  # The command that opens the window of `:IdeCompanion run`.
  terminal: {position: 'botright vsplit'},
}

const layouts = ['vertical', 'horizontal', 'unified']

def IsSwitch(value: any): bool
  return type(value) == v:t_bool || (type(value) == v:t_number && index([0, 1], value) >= 0)
enddef

def IsText(value: any): bool
  return type(value) == v:t_string && !empty(value)
enddef

def IsKey(value: any): bool
  return type(value) == v:t_string || (IsSwitch(value) && !value)
enddef

# For each option whether a value fits, and what is said of one that does not.
const checks: dict<list<any>> = {
  cmd: [(value) => type(value) == v:t_list && !empty(value) && IsText(value[0]), 'a list of words'],
  auto_start: [IsSwitch, 'true or false'],
  root: [
    (value) => value == null || type(value) == v:t_func,
    'a function that returns a list of folders',
  ],
  'diff.layout': [
    (value) => type(value) == v:t_string && index(layouts, value) >= 0,
    '"vertical", "horizontal" or "unified"',
  ],
  'diff.focus': [IsSwitch, 'true or false'],
  'diff.keys.accept': [IsKey, 'a key, or false'],
  'diff.keys.reject': [IsKey, 'a key, or false'],
  'terminal.position': [IsText, 'a command that opens a window'],
}

def Merge(base: dict<any>, given: dict<any>): dict<any>
  var merged = deepcopy(base)
  for [name, value] in items(given)
    const both = type(value) == v:t_dict && type(get(base, name, null)) == v:t_dict
    merged[name] = both ? Merge(base[name], value) : value
  endfor
  return merged
enddef

def At(options: dict<any>, path: string): any
  var value: any = options
  for name in split(path, '\.')
    value = type(value) == v:t_dict ? get(value, name, null) : null
  endfor
  return value
enddef

# What is wrong with options, naming each option and its value.
export def Complaints(options: dict<any>): list<string>
  var complaints: list<string> = []
  for [path, check] in items(checks)
    const value = At(options, path)
    const Fits = check[0]
    if !Fits(value)
      add(complaints, printf('%s must be %s, got %s', path, check[1], string(value)))
    endif
  endfor
  return sort(complaints)
enddef

# As they are now. Throws when they do not fit: what is wrong with the first of them.
export def Options(): dict<any>
  const given = get(g:, 'ide_companion', {})
  if type(given) != v:t_dict
    throw 'ide-companion: g:ide_companion must be a dictionary, got ' .. string(given)
  endif
  const options = Merge(defaults, given)
  const complaints = Complaints(options)
  if !empty(complaints)
    throw 'ide-companion: ' .. complaints[0]
  endif
  return options
enddef

;;; server-test.el --- The program and its status -*- lexical-binding: t; -*-

;;; Commentary:

;; Its life, the variables of terminals, the mode line and the doctor.

;;; Code:

(require 'fixture)

(defun ide-companion-test-status (&rest fields)
  "A status as the program sends it, with FIELDS other than usual."
  (append fields (list :port 4711 :env '(:IDE_TEST_PORT "4711")
                       :sessions [(:agent "Gemini CLI" :connectedAt 1)]
                       :diffs [(:id "1")])))

(ide-companion-deftest "terminals get the variables, as long as the program runs"
  (let ((local (get-buffer-create "with a local environment")))
    (with-current-buffer local
      (setq-local process-environment (list "IDE_TEST_PORT=outer" "OTHER=x")))
    (ide-companion--set-status (ide-companion-test-status))
    (should (equal (getenv "IDE_TEST_PORT") "4711"))
    (with-current-buffer local
      (should (equal (list (getenv "IDE_TEST_PORT") (getenv "OTHER")) '("4711" "x"))))
    (let ((process-environment (list "BOUND=1")))
      (ide-companion--set-status nil))
    (should-not (getenv "IDE_TEST_PORT"))))

(ide-companion-deftest "variables that were there before are so again afterwards"
  (let ((before (default-toplevel-value 'process-environment)))
    (setenv "IDE_TEST_PORT" "of an editor around this one")
    (unwind-protect
        (progn
          (ide-companion--set-status (ide-companion-test-status))
          (ide-companion--set-status (ide-companion-test-status :env '(:IDE_TEST_PORT "4712")))
          (should (equal (getenv "IDE_TEST_PORT") "4712"))
          (ide-companion--set-status nil)
          (should (equal (getenv "IDE_TEST_PORT") "of an editor around this one")))
      (set-default-toplevel-value 'process-environment before))))

(ide-companion-deftest "the mode line shows connected agents and open proposals"
  (let ((lighter (lambda () (substring-no-properties (string-join ide-companion-lighter)))))
    (ide-companion--set-status (ide-companion-test-status))
    (should (equal (funcall lighter) " Gemini CLI (1)"))
    (ide-companion--set-status (ide-companion-test-status :diffs []))
    (should (equal (funcall lighter) " Gemini CLI"))
    (ide-companion--set-status (ide-companion-test-status :diffs [] :sessions []))
    (should (equal (funcall lighter) " IDE"))
    (ide-companion--set-status
     (ide-companion-test-status :diffs [] :sessions [(:agent "100% %s" :connectedAt 1)]))
    (should (equal (funcall lighter) " 100%% %%s")) ; as it has to be for the mode line to show it
    (ide-companion--set-status nil)
    (should (equal (funcall lighter) " IDE:off"))))

(ide-companion-deftest "pausing runs the program in each folder, and is seen when it holds"
  (let* ((record (expand-file-name "record" ide-companion-test-folder))
         (ide-companion-command (list "sh" "-c" (format "echo $0 $PWD >> %s" record) "lsp"))
         (ide-companion--roots (list (directory-file-name ide-companion-test-folder))))
    (ide-companion-pause)
    (ide-companion-test-until (lambda () (file-exists-p record)))
    (should (equal (with-temp-buffer (insert-file-contents record) (buffer-string))
                   (format "pause %s\n" (directory-file-name (file-truename ide-companion-test-folder)))))
    (ide-companion--set-status (ide-companion-test-status :paused t :excluded ["/app/.env"]))
    (should (equal (car ide-companion-test-said)
                   "Agents receive no context until M-x ide-companion-resume"))
    (should (string-suffix-p "(1) paused" (substring-no-properties (string-join ide-companion-lighter))))
    (ide-companion--set-status (ide-companion-test-status :paused :json-false))
    (should (equal (car ide-companion-test-said) "Agents receive your context again"))))

(ide-companion-deftest "exclusions of the user are sent at the start"
  (let ((ide-companion-exclude '("drafts/")) (ide-companion-agent-accept nil))
    (should (equal (plist-get (ide-companion--initialize-params nil) :initializationOptions)
                   '(:exclude ["drafts/"] :excludeGitIgnored :json-false :agentAccept :json-false)))))

(ide-companion-deftest "the status is shown in a message, and hooks receive it"
  (let* (ports
         (ide-companion-status-functions (list (lambda (status) (push (plist-get status :port) ports)))))
    (ide-companion--set-status (ide-companion-test-status))
    (ide-companion-status)
    (should (equal (car ide-companion-test-said) "Port 4711.  Connected: Gemini CLI.  Waiting for you: 1."))
    (ide-companion--set-status nil)
    (ide-companion-status)
    (should (string-search "not running" (car ide-companion-test-said)))
    (should (equal ports '(nil 4711)))))

(ide-companion-deftest "a program that dies is started again, ever more slowly"
  (let (delays
        (ide-companion--agents '((:name "gemini" :displayName "Gemini CLI" :freedBy "press Ctrl-C once")
                                 (:name "other" :displayName "Another Agent")))
        (ide-companion--delay (car ide-companion--delays))
        (ide-companion--restart-timer nil))
    (cl-letf (((symbol-function 'run-with-timer) (lambda (delay &rest _) (push delay delays) nil)))
      (dotimes (_ 8) (ide-companion--restart-later 1 0.5))
      (should (equal (nreverse delays) '(1 2 4 8 16 32 60 60)))
      (setq delays nil)
      (ide-companion--restart-later 1 100)
      (should (equal delays '(1)))
      (should (member "ide-companion has ended with 1, starting it again in 4 s" ide-companion-test-said))
      (ide-companion--restart-later 9 100 '("Gemini CLI 2" "Another Agent")))
    (should (equal (car ide-companion-test-said)
                   (concat "ide-companion has ended with 9, starting it again in 1 s."
                           "  If Gemini CLI 2 hangs, press Ctrl-C once")))))

(ide-companion-deftest "a message names the remedy for a missing program"
  (let ((ide-companion-command '("no-such-program" "lsp"))
        (ide-companion--wanted t))
    (ide-companion--connect '("/"))
    (should-not ide-companion--wanted)
    (should (string-search "no-such-program" (car ide-companion-test-said)))
    (should (string-search "npm install --global ide-companion" (car ide-companion-test-said)))))

(ide-companion-deftest "a program that ends at once leaves no buffer behind"
  (let ((ide-companion-command '("sh" "-c" "echo out of order >&2; exit 3"))
        (ide-companion--wanted nil)
        (before (buffer-list)))
    (cl-letf (((symbol-function 'ide-companion--ask) #'ignore))
      (ide-companion--connect '("/")))
    (ide-companion-test-until (lambda () (null ide-companion--connection)))
    (should (equal (cl-remove "ide-companion" (mapcar #'buffer-name (cl-set-difference (buffer-list) before))
                              :test-not #'string-search)
                   (list ide-companion--log-name)))
    (with-current-buffer ide-companion--log-name
      (should (string-search "out of order" (buffer-string)))
      (should (string-search "the server has ended with 3" (buffer-string))))))

(ide-companion-deftest "a text with a NUL is read, and nothing of it is printed"
  (let* ((body (concat "{\"jsonrpc\":\"2.0\",\"method\":\"window/logMessage\","
                       "\"params\":{\"message\":\"a\\u0000b\"}}"))
         (message (ide-companion-test-file
                   "message" (format "Content-Length: %d\r\n\r\n%s" (length body) body)))
         (ide-companion-command (list "cat" message))
         (ide-companion--wanted nil))
    (cl-letf (((symbol-function 'ide-companion--ask) #'ignore))
      (ide-companion--connect '("/")))
    (ide-companion-test-until (lambda () (null ide-companion--connection)))
    (with-current-buffer ide-companion--log-name
      (should (string-search "a\0b" (buffer-string))))
    (should-not (cl-find "Invalid JSON" ide-companion-test-said :test #'string-search))))

(ide-companion-deftest "what nobody knows is answered as JSON-RPC wants it"
  (require 'jsonrpc)
  (should (equal (cdr (assq 'jsonrpc-error-code
                            (cddr (should-error (ide-companion--on-request nil 'no/such nil) :type 'jsonrpc-error))))
                 -32601))
  (should (equal (cdr (assq 'jsonrpc-error-message
                            (cddr (should-error (ide-companion--on-request nil 'companion/readDiff '(:id "9"))
                                                :type 'jsonrpc-error))))
                 "No diff 9 is open")))

(ide-companion-deftest "the log is bounded, and in the end is what was said last"
  (dotimes (line 1200) (ide-companion--log (format "line %d" line)))
  (with-current-buffer ide-companion--log-name
    (should (= 500 (count-lines (point-min) (point-max))))
    (goto-char (point-max))
    (should (looking-back "line 1199\n" nil))))

(ide-companion-deftest "the doctor names what is missing, and the remedy"
  (let ((ide-companion-command '("no-such-program" "lsp"))
        (ide-companion-mode t))
    (find-file (ide-companion-test-file "a.txt" ""))
    (ide-companion-doctor)
    (should (string-search "no-such-program is not in `exec-path'" (buffer-string)))
    (should (string-search "npm install --global ide-companion" (buffer-string)))
    (should (string-search "the companion is not running" (buffer-string)))))

(ide-companion-deftest "the doctor shows what runs, and which folder is missing"
  (let ((ide-companion-command (list "sh" "-c" "echo 1.2.3; exit 0" "lsp"))
        (ide-companion--process (start-process "stand-in" nil "cat"))
        (ide-companion--roots '("/elsewhere")))
    (set-process-query-on-exit-flag ide-companion--process nil)
    (ide-companion--set-status (ide-companion-test-status :sessions []))
    (ide-companion-test-propose)
    (let ((default-directory ide-companion-test-folder))
      (ide-companion-doctor))
    (dolist (words '("is version 1.2.3" "listens on port 4711" "no agent is connected" "command /ide"
                     "Gemini CLI proposes main.js" "/elsewhere" "is in none of them"))
      (should (string-search words (buffer-string))))
    (delete-process ide-companion--process)))

(defconst ide-companion-test-agents
  '((:name "one" :displayName "Agent One" :command "sh") (:name "two" :displayName "Agent Two" :command "no-such-agent"))
  "Agents that a program may name.")

(ide-companion-deftest "agents are those that the program names"
  (let ((ide-companion--agents nil)
        (ide-companion--connection 'connection)
        (ide-companion--initialized nil)
        asked)
    (ide-companion--on-initialized
     'connection
     (list :capabilities
           (list :experimental (list :ideCompanion (list :version 1 :agents (vconcat ide-companion-test-agents)))))
     nil)
    (cl-letf (((symbol-function 'completing-read)
               (lambda (_ names &rest rest) (setq asked (list names (car (last rest)))) "two")))
      (should (equal (ide-companion--read-agent) "two")))
    (should (equal asked '(("one" "two") "one")))
    (ide-companion-doctor)
    (should (string-search "Agent One is installed" (buffer-string)))
    (should (string-search "Agent Two (no-such-agent) is not in `exec-path'" (buffer-string)))))

(ide-companion-deftest "before the first start the program is started for the names of the agents"
  (let ((ide-companion--agents nil)
        (ide-companion--wanted nil)
        (ide-companion--run-folders nil)
        names)
    (cl-letf (((symbol-function 'ide-companion-start)
               (lambda ()
                 (setq ide-companion--wanted t)
                 (run-with-timer 0.1 nil (lambda () (setq ide-companion--agents ide-companion-test-agents)))))
              ((symbol-function 'completing-read) (lambda (_ candidates &rest _) (setq names candidates) "one")))
      (let ((default-directory ide-companion-test-folder))
        (should (equal (ide-companion--read-agent) "one"))))
    (should (equal names '("one" "two")))
    (should (= 1 (length ide-companion--run-folders)))))

(defun ide-companion-test-agent ()
  "Start a terminal of an agent that shows what it is sent, and return its buffer."
  (let ((terminal (generate-new-buffer "terminal")))
    (with-current-buffer terminal
      (setq default-directory ide-companion-test-folder)
      (make-process :name "agent" :buffer terminal :command '("cat") :connection-type 'pipe))
    terminal))

(defun ide-companion-test-mentions ()
  "What the program was asked to refer to, by message, oldest first."
  (mapcar (lambda (params) (append (plist-get params :mentions) nil))
          (ide-companion-test-sent :companion/send)))

(ide-companion-deftest "an agent that runs is shown instead of started again, and hidden from inside"
  (let* ((ide-companion--status '(:port 1))
         (ide-companion--latest nil)
         (ide-companion--agents '((:name "one" :displayName "Agent One" :resumeArguments ["--resume" "latest"])
                                  (:name "two" :displayName "Agent Two")))
         (default-directory ide-companion-test-folder)
         commands
         (ide-companion-terminal
          (lambda (name command)
            (push (cdr (member "run" command)) commands)
            (let ((buffer (get-buffer-create name)))
              (pop-to-buffer buffer)
              (setq default-directory ide-companion-test-folder)
              (make-process :name "agent" :buffer buffer :command '("cat") :connection-type 'pipe :noquery t)
              buffer))))
    (cl-letf (((symbol-function 'ide-companion--roots-above) #'always)
              ((symbol-function 'ide-companion--run-folder) (lambda () ide-companion-test-folder)))
      (ide-companion-run "one")
      (should (equal (ide-companion-test-layout) '("*scratch*" "*one*")))
      (ide-companion-run "one")
      (should (equal (ide-companion-test-layout) '("*scratch*")))
      (ide-companion-continue "one")
      (should (equal (buffer-name) "*one*"))
      (should (equal commands '(("one" "--"))))
      (ide-companion-run "one" '("-i" "hello"))
      (should (equal (buffer-name) "*one*<2>"))
      (mapc (lambda (name) (delete-process (get-buffer-process name))) '("*one*" "*one*<2>"))
      (ide-companion-continue "one")
      (should (equal commands '(("one" "--" "--resume" "latest") ("one" "--" "-i" "hello") ("one" "--"))))
      (should-error (ide-companion-continue "two") :type 'user-error))))

(ide-companion-deftest "what no connected agent takes is typed into the terminal here, and copied where there is none"
  (let* ((terminal (ide-companion-test-agent))
         (ide-companion--latest terminal)
         (ide-companion-test-result '(:prompt "@a.txt ")))
    (find-file (ide-companion-test-file "a.txt" "1\n2\n3\n4\n"))
    (ide-companion-send 2 3)
    (ide-companion-test-until
     (lambda () (with-current-buffer terminal (string-suffix-p "@a.txt " (buffer-string)))))
    (should (equal (car ide-companion-test-said) "The prompt in terminal has the reference"))
    (let ((ide-companion-test-result '(:prompt "why?\n@a.txt ")))
      (ide-companion-send-text "why?" 1 4)
      (ide-companion-test-until
       (lambda () (with-current-buffer terminal
                    (string-suffix-p "\e[200~why?\n@a.txt \e[201~" (buffer-string))))))
    (should (equal (mapcar (lambda (params) (plist-get params :folder)) (ide-companion-test-sent :companion/send))
                   (make-list 2 (directory-file-name ide-companion-test-folder))))
    (let ((ide-companion--latest nil))
      (ide-companion-send 1 1)
      (should (equal (current-kill 0) "@a.txt "))
      (should (string-prefix-p "No agent’s prompt can be reached: it is "
                               (replace-regexp-in-string "'" "’" (car ide-companion-test-said)))))))

(ide-companion-deftest "what is kept from agents is neither typed nor copied, and the reason is shown"
  (let* ((terminal (ide-companion-test-agent))
         (ide-companion--latest terminal)
         (ide-companion-test-result '(:reason ".env is kept from agents, and was not sent.")))
    (find-file (ide-companion-test-file ".env" "1\n"))
    (should (equal (should-error (ide-companion-send 1 1) :type 'user-error)
                   '(user-error ".env is kept from agents, and was not sent.")))
    (should (equal (with-current-buffer terminal (buffer-string)) ""))
    (should-not kill-ring)))

(ide-companion-deftest "the program puts a reference into the prompt of an agent that supports it"
  (let ((ide-companion-test-result '(:agent "Another Agent"))
        (path (ide-companion-test-file "a b.txt" "1\n2\n3\n")))
    (find-file path)
    (ide-companion-send 2 3)
    (should (equal (car ide-companion-test-said) "The prompt of Another Agent has the reference"))
    (let ((transient-mark-mode t))
      (goto-char 3)
      (push-mark 5 t t)
      (call-interactively #'ide-companion-send)
      (mark-whole-buffer)
      (call-interactively #'ide-companion-send))
    (should (equal (ide-companion-test-mentions)
                   `(((:path ,path :range (:start (:line 2 :character 1) :end (:line 4 :character 1))))
                     ((:path ,path :range (:start (:line 2 :character 1) :end (:line 3 :character 1))))
                     ((:path ,path)))))))

(ide-companion-deftest "references to marked files of Dired, or else to the one at point, are put into a prompt"
  (let ((ide-companion-test-result '(:agent "Another Agent"))
        (one (ide-companion-test-file "one.txt" "1\n"))
        (two (ide-companion-test-file "two.txt" "2\n")))
    (ide-companion-test-file "three.txt" "3\n")
    (dired ide-companion-test-folder)
    (dired-goto-file two)
    (call-interactively #'ide-companion-send-files)
    (should (equal (ide-companion-test-mentions) `(((:path ,two)))))
    (dired-mark 1)
    (dired-goto-file one)
    (dired-mark 1)
    (call-interactively #'ide-companion-send-files)
    (should (equal (sort (mapcar #'cadr (cadr (ide-companion-test-mentions))) #'string<)
                   (list one two)))
    (should (equal (car ide-companion-test-said) "The prompt of Another Agent has the references"))
    (should-error (ide-companion-send-files '("/ssh:host:/file")) :type 'user-error)))

(ide-companion-deftest "outside of Dired files of the project are asked for, and without a project one file"
  (let ((ide-companion-test-result '(:agent "Another Agent"))
        (path (ide-companion-test-file "a.txt" "1\n"))
        (inner (ide-companion-test-file "sub/b.txt" "1\n")))
    (find-file path)
    (cl-letf (((symbol-function 'project-current) #'ignore)
              ((symbol-function 'read-file-name) (lambda (&rest _) path)))
      (call-interactively #'ide-companion-send-files))
    (require 'project)
    (let (offered)
      (cl-letf (((symbol-function 'project-current) (lambda (&rest _) 'project))
                ((symbol-function 'project-root) (lambda (_) ide-companion-test-folder))
                ((symbol-function 'project-files) (lambda (&rest _) (list path inner)))
                ((symbol-function 'completing-read-multiple)
                 (lambda (_ names &rest _) (setq offered names))))
        (call-interactively #'ide-companion-send-files))
      (should (equal offered '("a.txt" "sub/b.txt"))))
    (should (equal (ide-companion-test-mentions) `(((:path ,path)) ((:path ,path) (:path ,inner)))))))

(ide-companion-deftest "a text is sent with the lines of the region, and an empty one is not"
  (let ((ide-companion-test-result '(:agent "Another Agent"))
        (path (ide-companion-test-file "a.txt" "1\n2\n3\n")))
    (find-file path)
    (cl-letf (((symbol-function 'read-string) (lambda (&rest _) "why?")))
      (call-interactively #'ide-companion-send-text)
      (let ((transient-mark-mode t))
        (push-mark 3 t t)
        (call-interactively #'ide-companion-send-text)))
    (pcase-let ((`(,plain ,with-lines) (ide-companion-test-sent :companion/send)))
      (should (equal (plist-get plain :text) "why?"))
      (should-not (plist-member plain :mentions))
      (should (equal (plist-get with-lines :mentions)
                     `[(:path ,path :range (:start (:line 1 :character 1) :end (:line 2 :character 1)))])))
    (should (equal (car ide-companion-test-said) "The prompt of Another Agent has it"))
    (should-error (ide-companion-send-text " ") :type 'user-error)))

(ide-companion-deftest "the diagnostics of lines, or with a prefix argument of the buffer, are sent in order"
  (let ((ide-companion-test-result '(:agent "Another Agent")))
    (find-file (ide-companion-test-file "a.txt" "1\n2\n3\n"))
    (cl-letf (((symbol-function 'ide-companion--buffer-diagnostics)
               (lambda (_) (list (list :line 3 :endLine 3 :message "late") (list :line 2 :message "two")))))
      (should-error (ide-companion-send-diagnostics 1 1) :type 'user-error)
      (ide-companion-send-diagnostics 2 2)
      (let ((current-prefix-arg '(4)))
        (call-interactively #'ide-companion-send-diagnostics)))
    (should (equal (mapcar (lambda (params)
                             (mapcar (lambda (one) (plist-get one :message)) (plist-get params :diagnostics)))
                           (ide-companion-test-sent :companion/send))
                   '(("two") ("two" "late"))))))

(ide-companion-deftest "the mode leaves nothing behind when it is turned off"
  (let ((hooks (lambda () (mapcar (lambda (entry) (memq (cdr entry) (default-value (car entry)))) ide-companion--hooks))))
    (cl-letf (((symbol-function 'ide-companion--connect) #'ignore)
              ((symbol-function 'ide-companion--ready-p) #'ignore))
      (ide-companion-mode 1)
      (should (cl-every #'identity (funcall hooks)))
      (ide-companion-mode -1)
      (should (cl-notany #'identity (funcall hooks)))
      (should-not (memq ide-companion--timer timer-list)))))

(provide 'server-test)
;;; server-test.el ends here

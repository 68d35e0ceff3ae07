;;; terminal-test.el --- Agents in terminals of Emacs -*- lexical-binding: t; -*-

;;; Commentary:

;; Which agents there are, and one terminal for each.

;;; Code:

(require 'fixture)

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
    (should (equal asked '(("one" "two") "one")))))

(ide-companion-deftest "before the first start the program is started for the names of the agents"
  (let ((ide-companion--agents nil)
        (ide-companion--wanted nil)
        (ide-companion--run-folders nil)
        names)
    (cl-letf (((symbol-function 'ide-companion-start)
               (lambda ()
                 (setq ide-companion--wanted t)
                 (run-with-timer 0.1 nil (lambda ()
                                           (setq ide-companion--agents ide-companion-test-agents
                                                 ide-companion--status '(:port 1))))))
              ((symbol-function 'completing-read) (lambda (_ candidates &rest _) (setq names candidates) "one")))
      (let ((default-directory ide-companion-test-folder))
        (should (equal (ide-companion--read-agent) "one"))))
    (should (equal names '("one" "two")))
    (should (= 1 (length ide-companion--run-folders)))))

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

(defun ide-companion-test-terminals (body)
  "Call BODY where agents run in buffers that take what is typed."
  (let ((ide-companion--status '(:port 1))
        (ide-companion--latest nil)
        (ide-companion-terminal
         (lambda (name _)
           (let ((buffer (get-buffer-create name)))
             (ide-companion--pop-to-terminal buffer)
             (setq default-directory ide-companion-test-folder)
             (make-process :name "agent" :buffer buffer :command '("cat") :connection-type 'pipe :noquery t)
             buffer))))
    (cl-letf (((symbol-function 'ide-companion--roots-above) #'always)
              ((symbol-function 'ide-companion--run-folder) (lambda () ide-companion-test-folder)))
      (funcall body))))

(ide-companion-deftest "each agent that is started in Term has a separate terminal"
  (let ((ide-companion--status '(:port 1))
        (ide-companion--latest nil)
        (ide-companion-terminal 'term)
        (ide-companion-command '("sh" "-c" "exec cat" "lsp"))
        started)
    (cl-letf (((symbol-function 'ide-companion--roots-above) #'always)
              ((symbol-function 'ide-companion--run-folder) (lambda () ide-companion-test-folder)))
      (dotimes (_ 3)
        (ide-companion-run "one" nil t)
        (push (cons (buffer-name ide-companion--latest)
                    (process-id (get-buffer-process ide-companion--latest)))
              started)))
    (should (equal (mapcar #'car started) '("*one*<3>" "*one*<2>" "*one*")))
    (should (= 3 (length (delete-dups (mapcar #'cdr started)))))))

(ide-companion-deftest "one command hides and shows an agent, one goes there and back"
  (ide-companion-test-terminals
   (lambda ()
     (ide-companion-run "one")
     (other-window 1)
     (ide-companion-toggle)
     (should (equal (ide-companion-test-layout) '("*scratch*")))
     (ide-companion-toggle)
     (should (equal (buffer-name) "*one*"))
     (ide-companion-focus)
     (should (equal (list (buffer-name) (ide-companion-test-layout)) '("*scratch*" ("*scratch*" "*one*"))))
     (ide-companion-focus)
     (should (equal (buffer-name) "*one*"))
     (delete-other-windows)
     (should-error (ide-companion-focus) :type 'user-error)
     (switch-to-buffer "*scratch*")
     (should (process-live-p (get-buffer-process "*one*"))))))

(ide-companion-deftest "an agent is shown where the user wants it, as in a side window"
  (let ((ide-companion-terminal-display-action
         '((display-buffer-in-side-window) (side . right) (window-width . 0.4))))
    (ide-companion-test-terminals
     (lambda ()
       (ide-companion-run "one")
       (should (eq (window-parameter (get-buffer-window "*one*") 'window-side) 'right))
       (ide-companion-toggle)
       (should (equal (ide-companion-test-layout) '("*scratch*")))
       (ide-companion-toggle)
       (should (eq (window-parameter (get-buffer-window "*one*") 'window-side) 'right))))))

(ide-companion-deftest "the program reads the screen of a terminal by one of some processes, and pastes into it"
  (let* ((buffer (ide-companion--run-in-term
                  "*one*" '("sh" "-c" "for n in $(seq 60); do echo row $n; done; stty -icanon -echo; exec cat -v")))
         (pid (process-id (get-buffer-process buffer)))
         (read (lambda () (plist-get (ide-companion--read-terminal (list :pids (vector 1 pid))) :screen))))
    (ide-companion-test-until (lambda () (string-search "row 60" (or (funcall read) ""))))
    (should-not (string-search "row 1\n" (funcall read))) ; it has scrolled away
    (should (hash-table-p (ide-companion--read-terminal '(:pids [1]))))
    (ide-companion--type-in-terminal (list :pid pid :text "Why?\nSo."))
    (ide-companion-test-until (lambda () (string-match-p "\\^\\[\\[200~Why\\?\nSo\\.\\^\\[\\[201~" (funcall read))))
    (should-error (ide-companion--type-in-terminal '(:pid 1 :text "no")))))

(ide-companion-deftest "agents run in tmux if the user wants it"
  (let* ((ide-companion--latest nil)
         (ide-companion-terminal-tmux t)
         words
         (ide-companion-terminal (lambda (name command)
                                   (setq words command)
                                   (get-buffer-create name))))
    (ide-companion--run-now "one" '("fix") ide-companion-test-folder)
    (should (equal (last words 6) '("run" "--tmux" "one" "one" "--" "fix")))))

(provide 'terminal-test)
;;; terminal-test.el ends here

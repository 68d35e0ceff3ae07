;;; comments-test.el --- Comments on proposals -*- lexical-binding: t; -*-

;;; Commentary:

;; From being written to reaching an agent, or waiting.

;;; Code:

(require 'ediff)
(require 'fixture)

(defun ide-companion-test-comment (first last text &rest more)
  "What is sent for a comment, TEXT, on the lines FIRST to LAST, with MORE."
  (append (list :id "1" :side "proposed" :startLine first :endLine last :text text) more))

(defun ide-companion-test-written ()
  "The comments that were sent to the program, the latest first."
  (reverse (ide-companion-test-sent :companion/comment)))

(defun ide-companion-test-commented (&rest fields)
  "Go to a proposal with FIELDS that has a comment on its second line."
  (prog1 (apply #'ide-companion-test-propose fields)
    (ide-companion-next-proposal)
    (ide-companion-test-keys "M-< C-n C-c ; why? RET")))

(ide-companion-deftest "comments on a line and on a region are sent, shown, counted, and go with a rejection"
  (ide-companion-test-commented)
  (should (equal (ide-companion-test-written) (list (ide-companion-test-comment 2 2 "why?"))))
  (should (string-search "with your comment: C-c C-a, C-c C-w" (ide-companion--header)))
  (let ((transient-mark-mode t))
    (ide-companion-test-keys "M-< C-SPC C-n C-n C-c ; too SPC long RET")
    (should-not (region-active-p)))
  (should (equal (car (ide-companion-test-written)) (ide-companion-test-comment 1 2 "too long")))
  (should (string-search "with 2 comments" (ide-companion--header)))
  (should (string-match-p "\\`one\ntwo\n2 \n.why\\? \n.too long\nthree\n\\'\\|\\`one\ntwo\n2 \n.too long \n.why\\?\nthree\n\\'"
                          (ide-companion-test-shown)))
  (ide-companion-test-keys "C-c C-w")
  (should (equal (ide-companion-test-sent :companion/diffRejected) '((:id "1" :withComments t)))))

(ide-companion-deftest "a comment is where the program says, is changed where it is, and deleted by an empty text"
  (ide-companion-test-commented)
  (setq ide-companion-test-comments (list (ide-companion-test-comment 3 3 "why?")))
  (ide-companion-test-keys "C-a new RET C-e nd RET below C-p C-c ; what SPC for? C-a C-d W RET")
  (should (equal (car (ide-companion-test-written)) (ide-companion-test-comment 3 3 "Why?what for?" :comment "1")))
  (should (string-match-p "\n2nd \n.Why\\?what for\\?\nbelow\n" (ide-companion-test-shown)))
  (ide-companion-test-keys "C-c ; C-a C-k RET")
  (should (equal (plist-get (car (ide-companion-test-written)) :text) ""))
  (should-not (string-search "what for?" (ide-companion-test-shown)))
  (should-not (string-search "comment" (ide-companion--header))))

(ide-companion-deftest "what is written about a proposal in another view is shown, changed and deleted here too"
  (ide-companion-test-propose)
  (ide-companion-next-proposal)
  (let ((tell (lambda (&rest comments)
                (ide-companion--on-notification
                 nil 'companion/comments (list :id "1" :comments (vconcat comments)))))
        (on (lambda (id line text) (list :id id :side "proposed" :startLine line :endLine line :text text))))
    (funcall tell (funcall on "p" 1 "from the page") (funcall on "1" 2 "why not?") (funcall on "all" 0 "too much"))
    (should (string-match-p "one \n.\\(?:too much \n.from the page\\|from the page \n.too much\\)\ntwo\n2 \n.why not\\?\n"
                            (ide-companion-test-shown)))
    (ide-companion-test-keys "M-< C-c ; C-e ! RET")
    (should (equal (car (ide-companion-test-written)) (ide-companion-test-comment 1 1 "from the page!" :comment "p")))
    (funcall tell)
    (should-not (string-search "comment" (ide-companion--header)))
    (should-not (string-search "from the page" (ide-companion-test-shown)))))

(ide-companion-deftest "a comment that is cancelled changes nothing"
  (ide-companion-test-commented)
  (condition-case nil (ide-companion-test-keys "C-c ; no C-g") (quit))
  (setq this-command nil)
  (should (equal (length (ide-companion-test-written)) 1)))

(ide-companion-deftest "an acceptance carries comments on the side on disk as well; a plain one carries none"
  (let ((ide-companion-diff-layout 'ediff)
        (ediff-window-setup-function #'ediff-setup-windows-plain))
    (ide-companion-test-propose)
    (ide-companion-next-proposal)
    (select-window (get-buffer-window " *Gemini CLI: main.js on disk*"))
    (ide-companion-test-keys "M-< C-n C-c ; keep SPC this RET")
    (should (string-match-p "\\`one\ntwo \n.keep this\nthree\n\\'" (ide-companion-test-shown)))
    (should (equal (plist-get (car (ide-companion-test-written)) :side) "original"))
    (ide-companion-test-keys "C-c C-a"))
  (ide-companion-test-commented :id "2")
  (ide-companion-test-keys "C-c C-c")
  (should (equal (ide-companion-test-sent :companion/diffAccepted)
                 '((:id "1" :content "one\n2\nthree\n" :withComments t)
                   (:id "2" :content "one\n2\nthree\n")))))

(ide-companion-deftest "a proposal whose agent takes no edits takes comments"
  (ide-companion-test-commented :readOnlyReason "It writes its own text.")
  (ide-companion-test-keys "C-c C-w")
  (should (equal (ide-companion-test-sent :companion/diffRejected) '((:id "1" :withComments t)))))

(ide-companion-deftest "a decision that is to carry comments says how to write one"
  (ide-companion-test-propose)
  (ide-companion-next-proposal)
  (should (equal (should-error (ide-companion-say-why) :type 'user-error)
                 '(user-error "Comment on a line of the proposal first: C-c ;")))
  (should-not (ide-companion-test-rejected)))

(ide-companion-deftest "a comment on a change that is decided meanwhile is not lost"
  (ide-companion-test-propose)
  (ide-companion-next-proposal)
  (cl-letf (((symbol-function 'read-string)
             (lambda (&rest _) (setq ide-companion--proposals nil) "mine")))
    (ide-companion-comment 1 1))
  (should (equal (car kill-ring) "mine"))
  (should (equal (car ide-companion-test-said) "No agent waits for this any more; your comment is in the kill ring"))
  (should-not (ide-companion-test-written)))

(ide-companion-deftest "comments that wait are listed, shown, copied and put into a prompt"
  (let ((known '((:id "a" :agent "Toy" :filePath "/app/main.js" :label "main.js" :at 0 :text "It left."
                  :detail "@main.js:2\nwhy?" :actions [(:code "send" :name "sends") (:code "copy" :name "copies")]))))
    (cl-letf (((symbol-function 'ide-companion--fetch)
               (lambda (_ params)
                 (pcase (plist-get params :action)
                   ("copy" '(:message "They are {place}: paste them into Toy" :copy "@main.js:2\nwhy?"))
                   ("send" (setq known nil) '(:message "In the prompt of Toy" :removed t))
                   (_ (list :title "The list" :none "No comments wait." :rows (vconcat known)))))))
      (ide-companion-comments)
      (should (equal (buffer-name (window-buffer)) "*ide-companion comments*"))
      (should (string-match-p "main\\.js +Toy .* It left\\." (buffer-string)))
      (ide-companion-test-keys "RET")
      (should (equal (with-current-buffer "*ide-companion message*" (buffer-string)) "@main.js:2\nwhy?"))
      (ide-companion-test-keys "w")
      (should (equal (car kill-ring) "@main.js:2\nwhy?"))
      (ide-companion-test-keys "s")
      (should (equal (seq-take ide-companion-test-said 2) '("In the prompt of Toy" "No comments wait."))))))

(provide 'comments-test)
;;; comments-test.el ends here
